// What keeps an import, or a user, from being taken leaves no empty archive behind.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, afterAll, expect, test } from "vitest";
import { MAIN } from "./support/command.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-nothing-"));
  const files = {
    "other.csv": "x,y\n1,2\n",
    "empty.jsonl": "",
    "call.jsonl": '{"kind":"call","call_id":"1"}\n',
    "header.csv": "CALL ID,TIMESTAMP,CAMPAIGN\n",
    "map.json": '{"kind":"call","fields":{"nothing":"{x}"}}',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

const run = async (...args: readonly string[]) => {
  const ended = await promisify(execFile)(process.execPath, [MAIN, ...args], { cwd: folder }).catch(
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );
  return { code: 0, ...ended };
};

test.each<[args: string[], fault: string]>([
  [["other.csv"], 'begins with "x,y", which shows no known format'],
  [["empty.jsonl"], "is empty: nothing shows its format"],
  [
    ["--format", "five9", "other.csv"],
    "is not of the format Five9 call log: its header has no CALL ID",
  ],
  [["--map", "map.json", "other.csv"], 'the mapping map.json: fields: "nothing" is not a key'],
  [["--layout", "csv", "call.jsonl"], "jsonl takes no layout"],
  [["--timezone", "Mars", "call.jsonl"], '"Mars" is not a time zone'],
  [
    ["--recordings", "call.jsonl", "call.jsonl"],
    "the media folder, call.jsonl, is not a directory",
  ],
  [["--rejects", "missing/rejects", "call.jsonl"], "the folder of the reject file"],
])("an import of %j", async (args, fault) => {
  const ended = await run("import", "--data", "none", ...args);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(fault) });
  expect(existsSync(join(folder, "none"))).toBe(false);
});

test.each(["import", "export", "serve", "backup", "user"])(
  "%s without a folder",
  async (command) => {
    const more =
      { import: ["call.jsonl"], backup: ["--to", "b"], user: ["add", "mia"] }[command] ?? [];
    const before = await readdir(folder);
    expect(await run(command, ...more, "--data", "")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "call-media-server: --data is empty: the folder of the archive",
      ),
    });
    expect(await readdir(folder)).toEqual(before);
  },
);

test("an import into a file", async () => {
  expect(await run("import", "--data", "other.csv", "call.jsonl")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("call-media-server: other.csv is no folder"),
  });
});

test("a user with an unknown field", async () => {
  const ended = await run("user", "add", "--data", "none", "mia", "colour=red");
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('no field "colour"') });
  expect(existsSync(join(folder, "none"))).toBe(false);
});

test("an import of nothing that is right makes the archive: it can be served", async () => {
  expect(await run("import", "--data", "made", "header.csv")).toMatchObject({ code: 0 });
  expect(await run("user", "list", "--data", "made")).toMatchObject({ code: 0 });
});
