// What cannot be carried out as it was given: one line that says what is wrong, nothing on standard output, exit code 2.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
import { MAIN, run, toEnvironment } from "./support/program.ts";

// Nothing listens on port 1; a usage error is found before anybody tries.
const BASE_URL = ["--base-url", "http://127.0.0.1:1"];
const KEY = { CALL_MEDIA_API_KEY: "an-api-key-for-tests" };
const NO_CREDENTIALS =
  "no credentials: call-media login keeps them; or set CALL_MEDIA_SECRET_ID and CALL_MEDIA_SECRET_KEY, or CALL_MEDIA_API_KEY, or give --profile";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, content: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  await chmod(file, 0o600);
  return file;
}

/** A port that was free a moment ago. */
async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function expectRefusal(
  args: readonly string[],
  message: string,
  variables?: NodeJS.ProcessEnv,
) {
  const { code, stdout, stderr } = await run(args, variables);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: `call-media: ${message}\n`,
  });
}

describe("the service", () => {
  test.each([
    [
      "is missing",
      [],
      "no service is named: call-media login keeps its address; or set CALL_MEDIA_BASE_URL, or give --base-url",
    ],
    [
      "is no address",
      ["archive"],
      "the base URL archive is not an address such as https://archive.example.com",
    ],
    [
      "is plain http elsewhere",
      ["http://archive.example.com"],
      "the base URL must be https: http is for a loopback host alone",
    ],
    [
      "has a password in it",
      ["https://mia:secret@archive.example.com"],
      "the base URL must not have a user or a password in it",
    ],
    [
      "has a query",
      ["https://archive.example.com?a=b"],
      "the base URL must not have a query or a fragment",
    ],
  ])("%s", async (_fault, url, message) => {
    await expectRefusal(["check", ...url.flatMap((text) => ["--base-url", text])], message, KEY);
  });

  test("cannot be reached", async () => {
    const closed = `http://127.0.0.1:${await findClosedPort()}`;
    for (const command of ["check", "probe"]) {
      const { code, stdout, stderr } = await run([command, "--base-url", closed], KEY);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^call-media: .+ECONNREFUSED.*\n$/);
    }
  });
});

describe("credentials", () => {
  test("are missing", () => expectRefusal(["probe", ...BASE_URL], NO_CREDENTIALS));

  test("are half there", () =>
    expectRefusal(
      ["check", ...BASE_URL],
      "CALL_MEDIA_SECRET_ID and CALL_MEDIA_SECRET_KEY go together: one of them is not set",
      { CALL_MEDIA_SECRET_ID: "an-id" },
    ));

  test("are no arguments", async () => {
    const { code, stderr } = await run(["check", ...BASE_URL, "--secret-key", "x"]);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--secret-key'");
  });
});

describe("a profile", () => {
  const check = (file: string) => ["check", "--profile", file];

  test("that others may read, with a secret in it", async () => {
    const file = await write("open.json", { apiKey: "x", baseUrl: "http://127.0.0.1:1" });
    await chmod(file, 0o640);
    await expectRefusal(
      check(file),
      `${file} holds secrets and others may read it: chmod 600 ${file}`,
    );
  });

  test("that others may read, without a secret, is taken", async () => {
    const file = await write("address.yaml", "baseUrl: http://127.0.0.1:1");
    await chmod(file, 0o644);
    await expectRefusal(check(file), NO_CREDENTIALS);
  });

  test.each([
    ["is not there", undefined, " does not exist"],
    ["is neither JSON nor YAML", '{ "apiKey": "top-secret', ":1:24 is neither JSON nor YAML"],
    ["is a list", [], " must be an object"],
    [
      "has a misspelt field",
      { api_key: "top-secret" },
      " has an unknown field api_key: it may have baseUrl, credentials, restricted, apiKey, expiredToken, examples, service",
    ],
    ["has an empty key", { apiKey: "" }, ": apiKey must be a text that is not empty"],
    [
      "has half of the credentials",
      { credentials: { secretID: "top-secret" } },
      ": credentials needs both secretID and secretKey",
    ],
  ])("%s", async (fault, content, message) => {
    const name = `${fault.replaceAll(" ", "-")}.json`;
    const file = content === undefined ? join(folder, name) : await write(name, content);
    expect(message).not.toContain("top-secret");
    await expectRefusal(check(file), `${file}${message}`);
  });
});

describe("expectations", () => {
  test.each([
    [
      "no-list",
      { requirement: "token.fields" },
      " must be a list of { requirement, operation?, reason }",
    ],
    [
      "no-such-requirement",
      [{ requirement: "token.feilds", reason: "x" }],
      ", entry 1: there is no requirement token.feilds",
    ],
    ["no-reason", [{ requirement: "token.fields" }], ", entry 1 (token.fields) gives no reason"],
    ["no-requirement", [{ reason: "x" }], ", entry 1 names no requirement"],
    [
      "unknown-field",
      [{ requirement: "token.fields", why: "x" }],
      ", entry 1 has an unknown field why: it may have requirement, operation, reason",
    ],
    ["broken", "- requirement: [", ":1:17 is neither JSON nor YAML"],
  ])("%s", async (name, content, message) => {
    const file = await write(`${name}.yaml`, content);
    await expectRefusal(["check", ...BASE_URL, "--expect", file], `${file}${message}`, KEY);
  });

  test("of an operation that does not exist", async () => {
    const file = await write("operation.json", [
      { requirement: "token.fields", operation: "signIn", reason: "x" },
    ]);
    const { code, stderr } = await run(["check", ...BASE_URL, "--expect", file], KEY);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `${file}, entry 1: there is no operation signIn; there are createToken, `,
    );
  });
});

describe("options", () => {
  test.each([
    [
      ["--format", "html"],
      "argument 'html' is invalid. Allowed choices are text, json, junit, sarif, markdown.",
    ],
    [
      ["--against", "hope"],
      "argument 'hope' is invalid. Allowed choices are interface, decisions.",
    ],
    [["--max-requests", "0"], "argument '0' is invalid. It must be a number from 1 to 1000000."],
    [["--max-requests", "many"], "argument 'many' is invalid."],
    [["--rate", "-1"], "argument '-1' is invalid."],
    [["--floor", "101"], "argument '101' is invalid. It must be a number from 0 to 100."],
    [
      ["--only", "listUsers,signIn"],
      "--only: there is no operation signIn; there are createToken, ",
    ],
    [["--har", "/no/such/folder/x.har"], "--har: nothing can be written in /no/such/folder"],
    [
      ["--profile-out", "/no/such/folder/x"],
      "--profile-out: nothing can be written in /no/such/folder",
    ],
    [["--har", tmpdir()], "is a folder: name a file"],
    [["extra"], "too many arguments for 'check'"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await run(["check", ...BASE_URL, ...args], KEY);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

test.each([
  [["search", "--agent", "ana", "--agent=mia"], "--agent <text>", "find either by --where"],
  [
    ["watch", "--custom-field-1", "a", "--custom-field-1", "b"],
    "--custom-field-1 <text>",
    "by --where",
  ],
  [["export", "--talk-time", "1", "--talk-time", "1"], "--talk-time <seconds>", "leave one out"],
  [["sync", "x", "--overlap", "3", "--overlap", "4"], "--overlap <days>", "takes one value"],
  [["watch", "--interval", "3", "--interval", "4"], "--interval <seconds>", "leave one out\n"],
  [["whoami", "--profile", "a", "--profile", "b"], "--profile <name>", "leave one out"],
  [["flags", "--user", "1", "--user", "2"], "--user <user_id>", "takes one value"],
  [["check", "--format", "json", "--format", "text"], "--format <format>", "takes one value"],
])("an option that has one value is not taken twice: %j", async (args, option, words) => {
  const { code, stdout, stderr } = await run([...args, ...BASE_URL], KEY);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`error: option '${option}' is given twice`);
  expect(stderr).toContain(words);
});

test("days the wrong way round are refused", () =>
  expectRefusal(
    ["search", "--from", "2026-03-01", "--to", "2026-02-01", ...BASE_URL],
    "--from 2026-03-01 is after --to 2026-02-01",
    KEY,
  ));

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

  test("is what the program says when it is told nothing", async () => {
    const { code, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stderr).toContain("Usage: call-media");
  });
});
