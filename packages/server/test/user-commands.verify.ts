// `user add` and `user set` by many processes at once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProcess } from "./support/command.ts";

test("users that are added or changed at once are all added, and all changed", async () => {
  const data = await mkdtemp(join(tmpdir(), "call-media-users-"));
  onTestFinished(() => rm(data, { recursive: true }));
  const call = (...args: readonly string[]) => runProcess("user", ...args, "--data", data);
  await call("add", "first");
  const names = ["ann", "bob", "cid", "dan", "eve"];
  await Promise.all(names.map((name) => call("add", name)));
  const fields = [
    "is_admin=true",
    "allow_download=true",
    "allow_reports=true",
    "group=a",
    "city=b",
  ];
  await Promise.all(fields.map((field) => call("set", "first", field)));

  const { stdout } = await call("list", "--json");
  const users = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(users).toHaveLength(names.length + 1);
  expect(new Set(users.map(({ username }) => username))).toEqual(new Set([...names, "first"]));
  expect(users[0]).toMatchObject({ is_admin: true, allow_download: true, allow_reports: true });
  expect(users[0]).toMatchObject({ group: "a", city: "b" });
});
