// Options, and the files that they name, that make no sense.
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "./support/program.ts";
import { BASE_URL, expectRefusal, KEY, write } from "./support/refusals.ts";

describe("expectations", () => {
  test.each([
    [
      "no-list",
      { requirement: "token.fields" },
      " must be a list of { requirement, operation, fingerprint, reason }",
    ],
    [
      "no-such-requirement",
      [{ requirement: "token.feilds", reason: "x" }],
      ", entry 1: unknown requirement token.feilds",
    ],
    ["no-reason", [{ requirement: "token.fields" }], ", entry 1 (token.fields) gives no reason"],
    ["no-requirement", [{ reason: "x" }], ", entry 1 names no requirement"],
    [
      "unknown-field",
      [{ requirement: "token.fields", why: "x" }],
      ", entry 1 has an unknown field why: it may have requirement, operation, fingerprint, fault, reason",
    ],
    [
      "no-fingerprint",
      [{ requirement: "token.fields", reason: "x" }],
      ", entry 1 (token.fields) has no fingerprint: copy that of the finding, call-media check --json shows it",
    ],
    ["broken", "- requirement: [", ":1:17 is neither JSON nor YAML"],
  ])("%s", async (name, content, message) => {
    const file = await write(`${name}.yaml`, content);
    await expectRefusal(["check", ...BASE_URL, "--expect", file], `${file}${message}`, KEY);
  });

  test("of an operation that does not exist", async () => {
    const file = await write("operation.json", [
      { requirement: "token.fields", operation: "signIn", fingerprint: "0", reason: "x" },
    ]);
    const { code, stderr } = await run(["check", ...BASE_URL, "--expect", file], KEY);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `${file}, entry 1: unknown operation signIn; the operations are createToken, `,
    );
  });
});

test.each([
  [
    "against",
    "decisions",
    "--against is for the check of Call Media's own contract: leave it out for an API with a document of its own",
  ],
  ["only", "listUsers", "--only: unknown operation listUsers; the operations are getA"],
])("check of another API refuses --%s %s", async (name, value, refusal) => {
  const document = await write(`other-${name}.json`, {
    openapi: "3.1.0",
    info: { title: "Other", version: "1" },
    paths: { "/a": { get: { operationId: "getA", responses: { 200: { description: "a" } } } } },
  });
  await expectRefusal(
    ["check", ...BASE_URL, "--document", document, `--${name}`, value],
    refusal,
    KEY,
  );
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
      "--only: unknown operation signIn; the operations are createToken, ",
    ],
    [["--har", "/no/such/folder/x.har"], "--har: nothing can be written in /no/such/folder"],
    [
      ["--profile-out", "/no/such/folder/x"],
      "--profile-out: nothing can be written in /no/such/folder",
    ],
    [["--har", tmpdir()], "is a folder: name a file"],
    [["--format", "sarif"], "pass the service's OpenAPI document, --document openapi.yaml"],
    [["--format", "sarif", "--document", resolve("/x.yaml")], "x.yaml is not in"],
    [["--document", "missing.yaml"], "missing.yaml does not exist"],
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

describe("an empty value", () => {
  const FILTER = "give it one, or leave it out, or find calls without one by --where";
  test.each([
    [
      ["search", "--agent", ""],
      `option '--agent <text>' has an empty value: ${FILTER} 'agent == null'`,
    ],
    [
      ["watch", "--security-field-01", " "],
      `option '--security-field-01 <text>' has an empty value: ${FILTER} 'security_field_01 == null'`,
    ],
    [
      ["export", "--out", ""],
      "option '--out <folder>' has an empty value: give it one, or leave it out\n",
    ],
    [["check", "--har="], "option '--har <file>' has an empty value"],
    [["search", "--where", ""], "option '--where <condition>' has an empty value"],
    [["search", "--columns", " "], "option '--columns <fields>' has an empty value"],
    [
      ["search", "--columns", "agent,"],
      "option '--columns <fields>' argument 'agent,' is invalid. A field is missing beside a comma.",
    ],
    [["sync", ""], "argument 'folder' is empty\n"],
    [["get", " "], "argument 'call_id' is empty\n"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await run([...args, ...BASE_URL], KEY);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
  });
});

test.each([
  [["sync", "--out", "x"], "(the folder is an argument: call-media sync FOLDER)"],
  [["verify", "--out=x"], "(the folder is an argument: call-media verify FOLDER)"],
  [["get", "--out", "x"], "(the answer goes to standard output: > FILE)"],
  [["watch", "--from", "2026-03-01"], "(--since DAY also prints existing calls)"],
  [["watch", "--json"], "(it always prints lines of JSON)"],
  [["search", "--security-field-1", "x"], "(did you mean --security-field-01?)"],
  [["search", "--agnet", "x"], "(Did you mean --agent?)"],
])("an option that there is not is not left at that: %j", async (args, hint) => {
  const { code, stdout, stderr } = await run([...args, ...BASE_URL], KEY);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(
    `error: unknown option '${String(args[1])}'\n${hint}\n(add --help to see how this is used)\n`,
  );
});

test("days the wrong way round are refused", () =>
  expectRefusal(
    ["search", "--from", "2026-03-01", "--to", "2026-02-01", ...BASE_URL],
    "--from 2026-03-01 is after --to 2026-02-01",
    KEY,
  ));

test("check --init writes rules, and has none yet for --self-test", async () => {
  await expectRefusal(
    ["check", ...BASE_URL, "--init", "--self-test"],
    "--self-test tries rules, and --init writes the first ones: check with its file, --relations FILE --self-test",
    KEY,
  );
});
