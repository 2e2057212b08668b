// An import whose disk is full, and a dry run that a signal ends: nothing is lost, and nothing is left behind.
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAIN, startCommand } from "./support/command.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-import-account-"));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...args: readonly string[]) => startCommand(args, { cwd: folder }).ended;

test("a disk that is full ends an import in one line, and the next run completes it", async () => {
  const archive = join(folder, "full");
  const rows = Array.from({ length: 6_000 }, (_, index) => ({
    kind: "call",
    call_id: `c${index}`,
    notes: "x".repeat(1_000),
  }));
  await writeFile(join(folder, "many.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const args = ["import", "--data", archive, "--format", "jsonl", "many.jsonl"];
  await run("user", "add", "--data", archive, "first");
  // No file may grow past 4 MiB: 8,192 blocks of 512 bytes.
  const limit = 'ulimit -f 8192; exec "$0" "$@"';
  const shell = spawn("sh", ["-c", limit, process.execPath, MAIN, ...args], { cwd: folder });
  let stderr = "";
  shell.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  expect(await new Promise((resolve) => shell.on("close", resolve))).toBe(1);
  // An import that takes longer than ten seconds logs its progress before this line.
  expect(stderr).toMatch(/^([\d,]+ rows: .*\n)*call-media-server: .+\n$/);
  const [, imported, unchanged] =
    /imported ([\d,]+) \+ replaced 0 \+ unchanged ([\d,]+) \+ rejected 0/.exec(
      (await run(...args)).stdout,
    ) ?? [];
  expect(Number(imported?.replace(",", "")) + Number(unchanged?.replace(",", ""))).toBe(
    rows.length,
  );
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends a dry run, whose copy is removed",
  async (signal) => {
    const archive = join(folder, `copied ${signal}`);
    const calls = Array.from(
      { length: 100_000 },
      (_, index) => `{"kind":"call","call_id":"c${index}"}`,
    );
    await writeFile(join(folder, "calls.jsonl"), calls.join("\n"));
    await run("user", "add", "--data", archive, "first");
    const temporary = await mkdtemp(join(folder, "temporary-"));
    const { child, ended } = startCommand(
      ["import", "--data", archive, "--format", "jsonl", "--dry-run", "calls.jsonl"],
      { cwd: folder, env: { TMPDIR: temporary } },
    );
    const listCopies = async () =>
      (await readdir(temporary)).filter((name) => name.includes("dry-run"));
    await expect.poll(listCopies, { timeout: 20_000, interval: 5 }).toHaveLength(1);
    child.kill(signal);

    expect(await ended).toMatchObject({ code: 130, stdout: "" });
    expect(await listCopies()).toEqual([]);
  },
);
