// Moving an archive as an operator does it: there and back, with nothing lost and nothing shown.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test.each<[what: string, args: readonly string[], message: string]>([
  ["a place without an archive", ["--from", "nowhere", "--records", "x"], "no archive in nowhere"],
  ["the same place", ["--from", "a", "--records", "sqlite:a"], "is in a already"],
  ["no place", ["--from", "a"], "no archive is named"],
  [
    "a password that everybody sees",
    ["--from", "postgres://cm:S3CRET@db/cm", "--records", "x"],
    "--from has a password in it",
  ],
])("%s is refused, and nothing is made", async (_what, args, message) => {
  const { code, stderr } = await run("migrate", ...args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("S3CRET");
});
