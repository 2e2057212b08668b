// `user add` and `user set`: they warn if a user has access to nothing, and one word gives access to everything.
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/command.ts";
import { startServing } from "./support/program.ts";

let folder: string;
let archive: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-users-"));
  archive = join(folder, "archive");
  const calls = join(folder, "calls.jsonl");
  await writeFile(
    calls,
    '{"kind":"call","call_id":"1","campaign":"Sales","datetime":"2026-01-05T09:00:00Z"}\n',
  );
  await run("import", "--data", archive, calls);
});
afterAll(() => rm(folder, { recursive: true }));

const user = (command: string, ...args: readonly string[]) =>
  run("user", command, "--data", archive, ...args);

test("a warning names a user without access to any call, and the kinds of value without an allowed one", async () => {
  const { stdout, stderr } = await user("add", "ann", "is_admin=true", "allow_all_skills=true");
  expect(stdout).toBe("Added ann as user 1.\n");
  expect(stderr).toBe(
    "ann sees no calls: nothing is allowed of campaigns, agents, groups, secure01, secure02, secure03, secure04," +
      ' secure05, media ("allow_all_*=true" allows all)\n',
  );
});

test("a name that ends in * is every field that begins so, and what is given after it goes before it", async () => {
  const args = ["allow_all_*=true", "allow_all_campaigns=false", "allowed_campaigns=sales"];
  const { code, stderr } = await user("add", "ben", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const key = await run("key", "create", "--data", archive, "--user", "ben", "--json");
  const { apiKey } = JSON.parse(key.stdout);
  const { baseUrl, stop } = await startServing(archive);
  const seen = async () => {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const answer = await fetch(`${baseUrl}/metadata/by-call-id/1`, { headers });
    return ((await answer.json()) as { data: unknown[] }).data.length;
  };
  expect(await seen()).toBe(1);
  expect((await user("set", "ben", "allowed_campaigns=")).stderr).toContain(
    "ben sees no calls: nothing is allowed of campaigns (",
  );
  expect(await seen()).toBe(0);
  expect(await stop()).toBe(0);
});

test("a list may be JSON, and a warning names a value that no call has", async () => {
  const allowed = async () => {
    const { stdout } = await user("list", "--json");
    return JSON.parse(stdout.split("\n").at(-2) ?? "").allowed_campaigns;
  };
  const args = ["dora", "allow_all_*=true", "allow_all_campaigns=false"];
  const added = await user("add", ...args, 'allowed_campaigns=["sales","A, B"]');
  expect(added).toMatchObject({
    code: 0,
    stderr: 'no call with a datetime has the campaign "A, B" yet: check allowed_campaigns\n',
  });
  expect(await allowed()).toEqual(["sales", "A, B"]);
  for (const wrong of ['["A"', "[A]", "[1]", '["a\\u0000"]', '[""]']) {
    const { code, stderr } = await user("set", "dora", `allowed_campaigns=${wrong}`);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^call-media-server: allowed_campaigns .*\n$/),
    ]);
  }
  expect(await allowed()).toEqual(["sales", "A, B"]);
});

test.each([
  ["nothing_*=true", 'a user has no field "nothing_*" to set'],
  ["id=7", 'a user has no field "id" to set'],
  ["allowed_skills=a,,b", 'allowed_skills has an empty value: "a,,b"'],
  ["allowed_campaigns=Sales,", "allowed_campaigns has an empty value"],
  ["allowed_groups= ", "allowed_groups has an empty value"],
  ["allow_*=all", 'allow_email_attachment must be true or false, not "all"'],
])("%s is refused", async (pair, message) => {
  const { code, stderr } = await user("add", "cid", pair);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
});

test("a user is disabled in an archive that lacks a call", async () => {
  const directory = join(folder, "lacking");
  await cp(archive, directory, { recursive: true });
  await run("user", "add", "--data", directory, "fay", "allow_all_*=true");
  {
    using database = new DatabaseSync(join(directory, "archive.db"));
    database.exec("PRAGMA foreign_keys = OFF; DELETE FROM call");
  }
  expect(await run("user", "set", "--data", directory, "fay", "status=2")).toMatchObject({
    code: 0,
  });
  const listed = await run("user", "list", "--data", directory, "--json");
  expect(listed.stdout).toContain('"username":"fay"');
  const calls = join(folder, "calls.jsonl");
  expect(await run("import", "--data", directory, calls)).toMatchObject({ code: 1 });
});

test("a damaged user is named, and keeps nobody from the list of the others and from the access log", async () => {
  const directory = join(folder, "damaged");
  await cp(archive, directory, { recursive: true });
  await run("user", "add", "--data", directory, "eva", "allow_all_*=true");
  {
    using database = new DatabaseSync(join(directory, "archive.db"));
    database.exec("UPDATE user SET status = 7 WHERE id = 1");
  }
  const listed = await run("user", "list", "--data", directory);
  expect(listed).toMatchObject({ code: 1, stdout: expect.stringMatching(/eva/) });
  expect(listed.stderr).toContain("damaged: user 1 is not what was imported\n");
  expect(await run("audit", "--data", directory)).toMatchObject({ code: 0, stderr: "" });
});
