// `user add` and `user set`: a text that is too long (D29), or a name with blanks around it, is refused and changes nothing.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/command.ts";

// Two of JavaScript's characters.
const LONGEST = "\u{1F4DE}".repeat(1024);

let archive: string;
beforeAll(async () => {
  archive = await mkdtemp(join(tmpdir(), "call-media-lengths-"));
  await user("add", "ann");
});
afterAll(() => rm(archive, { recursive: true }));

const user = (command: string, ...args: readonly string[]) =>
  run("user", command, "--data", archive, ...args);
const list = async () =>
  (await user("list", "--json")).stdout
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));

test("the longest name and title are kept", async () => {
  const { code } = await user("add", LONGEST, `title=${LONGEST}`, `city=${LONGEST}`);
  expect(code).toBe(0);
  expect((await list()).at(-1)).toMatchObject({ username: LONGEST, title: LONGEST, city: LONGEST });
});

test.each([
  ["add", [`${LONGEST}.`], "username must have at most 1024 characters, not 1025"],
  ["add", ["cid", `group=${LONGEST}.`], "group must have at most 1024 characters, not 1025"],
  ["set", ["ann", "city=Wells", `title=${LONGEST}.`], "title must have at most 1024 characters"],
  ["set", ["ann", "username="], "username must not be empty"],
  ["add", [" cid"], 'username has blanks around it: write "cid"'],
  ["set", ["ann", "username=ann\u00a0"], 'username has blanks around it: write "ann"'],
])("%s %# is refused", async (command, args, message) => {
  const { code, stderr } = await user(command, ...args);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
});

test("a rejected command changes nothing", async () => {
  expect(await list()).toMatchObject([{ username: "ann", city: "" }, { username: LONGEST }]);
});
