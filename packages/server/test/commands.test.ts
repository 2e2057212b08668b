// The operator's program as a whole: each command explains itself, and says in one line why it cannot be carried out.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/command.ts";

let folder: string;
let archive: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-commands-"));
  archive = join(folder, "archive");
  await run("user", "add", "avery.admin", "--data", archive);
});
afterAll(() => rm(folder, { recursive: true }));

test("it tells its version, as its package has it", async () => {
  const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(manifest) as { version: string }; // this package's own file
  const { code, stdout } = await run("--version");
  expect([code, stdout]).toEqual([0, `${version}\n`]);
});

test("an archive that is damaged is one line, not a crash", async () => {
  const damaged = await mkdtemp(join(folder, "damaged-"));
  await writeFile(
    join(damaged, "archive.db"),
    "this is not a database, however long it may be".repeat(100),
  );
  const { code, stderr } = await run("user", "list", "--data", damaged);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `call-media-server: ${damaged}/archive.db cannot be used: file is not a database\n`,
  );
});

test.concurrent.each<[string[], string]>([
  [["user", "add", "avery.admin"], "there is a user avery.admin already"],
  [["user", "add", "x", "colour=red"], 'a user has no field "colour" to set'],
  [["user", "add", "x", "is_admin=yes"], 'is_admin must be true or false, not "yes"'],
  [["user", "add", "x", "status=one"], 'status must be an integer from 0 to 2, not "one"'],
  [["user", "add", "x", "status=3"], 'status must be an integer from 0 to 2, not "3"'],
  [
    ["user", "add", "x", "created_date=yesterday"],
    'created_date must be a date and time with an offset, not "yesterday"',
  ],
  [["user", "add", "x", "title"], '"title" is not written name=value'],
  [["user", "set", "nobody", "title=x"], "there is no user nobody"],
  [["app", "create", "--user", "nobody"], "there is no user nobody"],
  [["app", "revoke", "app_x"], "there is no application app_x that is still good"],
  [
    ["key", "create", "--user", "avery.admin", "--expires", "soon"],
    '--expires: "soon" is not an ISO 8601 date and time',
  ],
  [
    ["key", "create", "--user", "avery.admin", "--expires", "2020-01-01"],
    "--expires: 2020-01-01 has passed already",
  ],
  [["key", "revoke", "key_x"], "there is no key key_x that is still good"],
  [["token", "revoke"], "give one of: a token, --user, --app"],
  [["token", "revoke", "x"], "there is no such token that is still good"],
  [["import", "--format", "xml", "x"], "Allowed choices are auto, jsonl, vcon,"],
  [["import", "--format", "jsonl", "missing.jsonl"], "missing.jsonl"],
  [["import", "--format", "csv", import.meta.filename], "mapping"],
  [
    ["import", "--format", "jsonl", "--timezone", "Mars/Olympus", import.meta.filename],
    "Mars/Olympus",
  ],
  [["nonsense"], "unknown command"],
])("%j is one line and exit code 1", async (args, message) => {
  const { code, stderr } = await run(
    ...args,
    ...(args[0] === "nonsense" ? [] : ["--data", archive]),
  );
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
});

test.concurrent.each([
  "",
  "serve",
  "demo",
  "import",
  "maps check",
  "maps list",
  "user",
  "user add",
  "user set",
  "user list",
  "app create",
  "app list",
  "app revoke",
  "key create",
  "key list",
  "key revoke",
  "token revoke",
  "verify",
  "backup",
  "restore",
  "migrate",
  "coverage",
  "history",
  "trace",
  "hold add",
  "hold list",
  "hold show",
  "hold release",
  "retention set",
  "retention show",
  "retention plan",
  "retention apply",
  "purge",
  "doctor",
  "reindex",
  "audit begin-anew",
  "audit forget",
])("%s --help explains itself", async (command) => {
  const { code, stdout } = await run(...command.split(" ").filter(Boolean), "--help");
  expect(code).toBe(0);
  expect(stdout).toContain(`Usage: ${["call-media-server", command].filter(Boolean).join(" ")} `);
});
