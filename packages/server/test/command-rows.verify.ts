// Commands that are ended from outside: by a signal, which leaves its row, and by one that leaves no time for that.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run, startCommand } from "./support/command.ts";

const ROWS = 200_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ended-commands-"));
  const lines = Array.from({ length: ROWS }, (_, id) => `{"kind":"call","call_id":"${id}"}\n`);
  await writeFile(join(folder, "many.jsonl"), lines.join(""));
});
afterAll(() => rm(folder, { recursive: true }));

/** Sends the signal when the first rows are in the archive, and gives the last row that the access log then has. */
async function endImport(archive: string, signal: NodeJS.Signals) {
  const data = ["--data", archive];
  const { child, ended } = startCommand(["import", ...data, join(folder, "many.jsonl")]);
  const read = async () => {
    const { stdout } = await run("audit", ...data, "--format", "jsonl");
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  };
  while ((await read()).length === 0) expect(child.exitCode).toBeNull();
  child.kill(signal);
  const { code } = await ended;
  return { code, rows: await read() };
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s leaves a row that says so", async (signal, code) => {
  const archive = join(folder, signal);
  const ended = await endImport(archive, signal);
  expect(ended).toMatchObject({
    code,
    rows: [{ outcome: "begun" }, { outcome: "failed", reason: signal }],
  });
  expect(await run("audit", "verify", "--data", archive)).toMatchObject({ code: 0 });
});

test("the audit shows a killed command without an outcome", async () => {
  const archive = join(folder, "killed");
  expect((await endImport(archive, "SIGKILL")).rows).toMatchObject([
    { operation: "import", outcome: "begun", remark: "no outcome recorded (broke off?)" },
  ]);
});
