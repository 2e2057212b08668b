// Moving an archive as an operator does it: there and back, with nothing lost and nothing shown.
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeDemo } from "../src/commands/demo-archive.ts";
import { run } from "./support/command.ts";

let folder: string;
let demo: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-migrate-"));
  demo = join(folder, "demo");
  await makeDemo(demo, "2026-11-01");
});
afterAll(() => rm(folder, { recursive: true }));

async function exportOf(directory: string): Promise<string> {
  const out = `${directory}-export`;
  expect(await run("export", "--data", directory, "--out", out)).toMatchObject({ code: 0 });
  return await readFile(join(out, "archive.jsonl"), "utf8");
}

async function findRecording(directory: string): Promise<string> {
  const names = await readdir(join(directory, "media"), { recursive: true, withFileTypes: true });
  // A note about the access log lies beside them.
  const file = names.find(({ name }) => /^[0-9a-f]{64}$/.test(name));
  if (file === undefined) throw new Error("the archive has no recording");
  return join(file.parentPath, file.name);
}

test("there and back an archive is the same, and its access log continues", async () => {
  const [there, media, back] = [join(folder, "there"), join(folder, "media"), join(folder, "back")];
  const temporary = await mkdtemp(join(folder, "temporary-"));
  vi.stubEnv("TMPDIR", temporary);
  const keys = await run("key", "list", "--data", demo);
  const [, known = ""] =
    /([0-9a-f]{64})/.exec((await run("audit", "verify", "--data", demo)).stdout) ?? [];

  const moved = await run("migrate", "--from", demo, "--records", there, "--media", media);
  expect(moved).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("records of the two archives are equal."),
  });
  const returned = await run("migrate", "--from", there, "--from-media", media, "--records", back);
  expect(returned).toMatchObject({ code: 0, stdout: expect.stringContaining("are equal.") });

  expect(await run("audit", "verify", "--data", back, "--hash", known)).toMatchObject({ code: 0 });
  expect((await run("audit", "--data", back)).stdout).toMatch(/migrate(?:.|\n)*migrate/);
  expect(await run("key", "list", "--data", back)).toEqual(keys);
  expect(await run("verify", "--data", back)).toMatchObject({ code: 0 });
  expect(await exportOf(back)).toBe(await exportOf(demo));
  expect(await readdir(temporary)).toEqual([]);
});

test("verify finds later damage of the second disk", async () => {
  const to = join(folder, "flipped");
  expect(await run("migrate", "--from", demo, "--records", to)).toMatchObject({ code: 0 });

  const file = await findRecording(to);
  const content = await readFile(file);
  content.writeUInt8(content.readUInt8(100) ^ 1, 100);
  await writeFile(file, content);
  expect(await run("verify", "--data", to)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("1 damaged"),
  });
});

test("a damaged recording is named, and everything else moves", async () => {
  const [from, to] = [join(folder, "damaged"), join(folder, "moved")];
  await run("migrate", "--from", demo, "--records", from);
  await appendFile(await findRecording(from), "more");

  const { code, stdout } = await run("migrate", "--from", from, "--records", to);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^damaged: \S+ of call_id /m);
  expect(stdout).toContain("Left out: 1 file of recordings.");
  expect((await run("verify", "--data", to)).stdout).toContain("1 damaged");
});
