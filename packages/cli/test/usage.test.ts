// What a command names and is not there or no folder, an output that takes no more, and the help.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
import { MAIN, run, toEnvironment } from "./support/program.ts";
import { hasTerminal, runInTerminal } from "./support/terminal.ts";
import { BASE_URL, expectRefusal, KEY, write } from "./support/refusals.ts";

describe("what the command names", () => {
  test.each<[readonly string[], string]>([
    [
      ["whoami", "--profile", "nowhere"],
      "there is no profile nowhere: call-media profiles lists them, login keeps one",
    ],
    [["diff", "missing.json", "missing.json"], "missing.json does not exist"],
    [
      ["export", "--resume", "--out", "missing"],
      "missing has no export to go on with: begin one with --from and --to",
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

test.skipIf(!hasFull)("a full disk under standard output is told of", () => {
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
      "nothing can be written in FILE: FILE is no folder",
    ],
    [
      "export below it",
      ["export", ...DAYS, ...BASE_URL, "--out"],
      "/x",
      "nothing can be written in FILE/x: FILE is no folder",
    ],
    [
      "verify",
      ["verify"],
      "",
      "FILE has no manifest.jsonl: it is no export, or one that has not come to its end",
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
    await expectRefusal([...args, `${file}${rest}`], message.replaceAll("FILE", file), KEY);
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

describe("help", () => {
  test.each(["", ...COMMANDS.map(({ name }) => name)])("%s teaches by example", async (name) => {
    const { code, stdout, stderr } = await run([...(name === "" ? [] : [name]), "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`$ call-media ${name}`);
    const tooLong = stdout.split("\n").filter((line) => line.length > 80 && !/^ +\$ /.test(line));
    expect(tooLong).toEqual([]); // an example is one line, to be copied
  });

  test.each(["chekc", "chekc --help", "help chekc"])(
    "names the command meant: %s",
    async (line) => {
      const { code, stdout, stderr } = await run(line.split(" "));
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("(Did you mean check?)");
    },
  );

  test.skipIf(!hasTerminal)("of the options fits a terminal of 60 columns", async () => {
    const { shown } = await runInTerminal(["search", "--help"], { COLUMNS: "60" }, []);
    const [options = ""] = shown.split("Options for custom");
    expect(options).toContain("--excel");
    expect(options.split(/\r?\n/).filter((line) => line.length > 60)).toEqual([]);
  });

  test("is what the program says when it is told nothing", async () => {
    const { code, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stderr).toContain("Usage: call-media");
  });
});
