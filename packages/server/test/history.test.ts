// `call-media-server history`: what a record said before it was replaced, who replaced it, and its exit codes.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/command.ts";

const folder = await mkdtemp(join(tmpdir(), "history-"));
const archive = join(folder, "archive");
const data = ["--data", archive];

async function importLine(name: string, fields: object): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, `${JSON.stringify({ kind: "call", call_id: "9", ...fields })}\n`);
  await run("import", ...data, file);
}

beforeAll(async () => {
  const datetime = "2026-01-10T10:00:00Z";
  await importLine("first.jsonl", { datetime, disposition_notes: "first text" });
  await importLine("second.jsonl", { datetime, disposition_notes: "second text" });
  await importLine("other.jsonl", { datetime, call_id: "10" });
  await run("user", "add", "mia", ...data);
  await run("user", "set", "mia", "title=Judge", ...data);
});
afterAll(() => rm(folder, { recursive: true }));

test("each change has its time, its command and who ran it", async () => {
  const { code, stdout } = await run("history", ...data, "--call-id", "9");
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toEqual([
    "call_id 9: 1 record, 1 earlier state",
    expect.stringMatching(/^\S+Z {2}import by \S+ {2}brought it$/),
    expect.stringMatching(
      /^\S+Z {2}import by \S+ {2}disposition_notes: "first text" -> "second text"$/,
    ),
  ]);
});

test("whole states are JSON, one a line, the newest first", async () => {
  const { stdout } = await run("history", ...data, "--call-id", "9", "--json");
  const states = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(states).toMatchObject([
    { current: true, replaced: null, state: { record: { disposition_notes: "second text" } } },
    { current: false, brought: { command: "import" }, state: { record: { call_id: "9" } } },
  ]);
});

test("a user has a history, and the access log has the commands of a call", async () => {
  const { stdout } = await run("history", ...data, "--user", "mia");
  expect(stdout).toMatch(/ user set by \S+ {2}title: .* -> "Judge"\n/);
  const audit = await run("audit", ...data, "--call-id", "9", "--format", "jsonl");
  const rows = audit.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { operation: string; asked: { files?: string[] } });
  const files = rows.flatMap(({ asked }) => asked.files ?? []);
  expect(new Set(files.map((file) => file.replace(/^.*\//, "")))).toEqual(
    new Set(["first.jsonl", "second.jsonl"]),
  );
});

test("of recordings each file that went or came has its line", async () => {
  const map = { kind: "call", fields: { call_id: "{id}" }, media: ["{file}"] };
  await writeFile(join(folder, "map.json"), JSON.stringify(map));
  for (const name of ["heard.ulaw", "heard.gsm"]) {
    await writeFile(join(folder, name), `sound of ${name}`);
    await writeFile(join(folder, "heard.csv"), `id,file\nheard,${name}\n`);
    await run("import", ...data, "--map", join(folder, "map.json"), join(folder, "heard.csv"));
  }
  const { stdout } = await run("history", ...data, "--call-id", "heard");
  const [, , ...changes] = stdout.trimEnd().split("\n");
  expect(changes.map((line) => line.replace(/^\S+ {2}import by \S+ {2}/, ""))).toEqual([
    'recordings: "heard.ulaw" -> "heard.gsm"',
    expect.stringMatching(/^recording removed: "heard\.ulaw", \S+, SHA-256 [0-9a-f]{64}$/),
    expect.stringMatching(/^recording added: "heard\.gsm", \S+, SHA-256 [0-9a-f]{64}$/),
  ]);
});

test("what nothing has, what was erased, and what is damaged have exit codes of their own", async () => {
  expect(await run("history", ...data, "--call-id", "none")).toMatchObject({ code: 3 });
  expect(await run("history", ...data)).toMatchObject({ code: 1 });
  await run("purge", ...data, "--call-id", "10", "--yes");
  expect(await run("history", ...data, "--call-id", "10")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^What had the call_id 10 was taken out on /),
  });
  {
    using database = new DatabaseSync(join(archive, "archive.db"));
    database.exec("UPDATE version SET was = replace(was, 'first', 'other')");
  }
  const damaged = await run("history", ...data, "--call-id", "9");
  expect(damaged).toMatchObject({ code: 2, stdout: expect.stringContaining("is damaged") });
});
