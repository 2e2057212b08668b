// What a command names and is not there or no folder, and an output that takes no more.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAIN, toEnvironment } from "./support/program.ts";
import { BASE_URL, expectRefusal, KEY, write } from "./support/refusals.ts";

describe("what the command names", () => {
  test.each<[readonly string[], string]>([
    [
      ["whoami", "--profile", "nowhere"],
      "unknown profile nowhere: call-media profiles lists them, call-media login saves one",
    ],
    [["diff", "missing.json", "missing.json"], "missing.json does not exist"],
    [
      ["export", "--resume", "--out", "missing"],
      "missing has no export to continue: begin one with --from and --to",
    ],
    [
      ["login"],
      "--base-url is missing: the address of the service, such as https://archive.example.com",
    ],
  ])("is not there: %j", async (args, message) => {
    await expectRefusal(args, message, {
      ...KEY,
      ...(args[0] === "export" && { CALL_MEDIA_BASE_URL: "http://127.0.0.1:1" }),
    });
  });
});

// What is written to it finds a full disk (full(4)).
const hasFull = existsSync("/dev/full");
if (!hasFull) console.warn("SKIPPED a full disk under standard output: Linux alone has /dev/full");

test.skipIf(!hasFull)("a full disk under standard output is reported", () => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [MAIN, "completion", "bash"], {
    env: toEnvironment({}),
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^call-media: standard output is not complete: ENOSPC.*\n$/);
});

describe("a file where a folder belongs", () => {
  const DAYS = ["--from", "2026-03-01", "--to", "2026-03-02"];
  test.each([
    [
      "export",
      ["export", ...DAYS, ...BASE_URL, "--out"],
      "",
      "nothing can be written in FILE: FILE is not a folder",
    ],
    [
      "export below it",
      ["export", ...DAYS, ...BASE_URL, "--out"],
      "/x",
      "nothing can be written in FILE/x: FILE is not a folder",
    ],
    [
      "verify",
      ["verify"],
      "",
      "FILE is a file and no hand-over: it is not a whole zip: End of central directory record signature not found. Either not a zip file, or file is truncated.",
    ],
    ["check", ["check", ...BASE_URL, "--har"], "/x", "--har: nothing can be written in FILE"],
    [
      "transcript",
      ["transcript", "1", ...BASE_URL, "--out"],
      "/x",
      "--out: nothing can be written in FILE",
    ],
  ])("%s", async (_, args, rest, message) => {
    const file = await write("a-file", "");
    const told = message.replaceAll("FILE", file);
    await expectRefusal([...args, `${file}${rest}`], told, KEY);
  });
});

test.skipIf(!existsSync("/proc/self"))("a folder that no system can make ends it at once", () =>
  expectRefusal(
    [
      "export",
      "--from",
      "2026-03-01",
      "--to",
      "2026-03-02",
      "--out",
      "/proc/calls/out",
      ...BASE_URL,
    ],
    "nothing can be written in /proc/calls/out: ENOENT: no such file or directory, mkdir '/proc/calls'",
    KEY,
  ),
);
