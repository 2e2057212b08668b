// Every command that changes an archive, or copies it, leaves rows in its access log: what was asked, and what became of it.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogRow } from "@call-media/store";
import { openMaintenance, openStore } from "@call-media/store/open";
import { Command } from "commander";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
import { run } from "./support/command.ts";

const folder = await mkdtemp(join(tmpdir(), "command-rows-"));
const archive = join(folder, "archive");
const at = (name: string) => join(folder, name);
const data = ["--data", archive];

const DONE = ["begun", "done"];
const REFUSED = ["begun", "refused"];

interface Rows {
  readonly args: readonly string[];
  /** The outcomes of its rows, in order; "" for a row in the middle of a run. */
  readonly outcomes: readonly string[];
  /** The folder of the rows. Default: the archive. */
  readonly in?: string;
  /** True if another program reads the archive during the command. */
  readonly isHeld?: true;
}

/** Commands that only look. */
const READ = "reads";

// In an order in which each finds what it needs.
const EXPECTED: Readonly<Record<string, typeof READ | readonly Rows[]>> = {
  import: [
    { args: [...data, at("calls.jsonl")], outcomes: DONE },
    { args: [...data, at("nothing.txt")], outcomes: REFUSED },
    {
      args: [...data, "--format", "csv", "--map", at("map.json"), at("odd.csv")],
      outcomes: REFUSED,
    },
  ],
  "maps check": READ,
  "maps list": READ,
  "user add": [
    { args: [...data, "mia"], outcomes: DONE },
    { args: [...data, "mia"], outcomes: ["refused"] },
  ],
  "user set": [
    { args: [...data, "mia", "is_admin=true"], outcomes: DONE },
    { args: [...data, "nobody", "is_admin=true"], outcomes: ["refused"] },
  ],
  "user list": READ,
  "app create": [
    { args: [...data, "--user", "mia"], outcomes: ["done"] },
    { args: [...data, "--user", "nobody"], outcomes: ["refused"] },
  ],
  "app list": READ,
  "app revoke": [{ args: [...data, "app_none"], outcomes: ["refused"] }],
  "key create": [
    { args: [...data, "--user", "mia"], outcomes: ["done"] },
    { args: [...data, "--user", "mia", "--expires", "2001-01-01"], outcomes: ["refused"] },
  ],
  "key list": READ,
  "key revoke": [{ args: [...data, "key_none"], outcomes: ["refused"] }],
  "token revoke": [
    { args: [...data, "none"], outcomes: ["refused"] },
    { args: [...data, "--user", "nobody"], outcomes: ["refused"] },
  ],
  "audit list": READ,
  "audit verify": READ,
  // These two have their tests with the loss that they are for.
  "audit begin-anew": [{ args: data, outcomes: [] }],
  "audit accept-loss": [{ args: data, outcomes: [] }],
  "audit forget": [
    { args: [...data, "--before", "2025-01-01"], outcomes: [] },
    { args: [...data, "--before", "2025-01-01", "--yes"], outcomes: ["done"] },
    { args: [...data, "--before", "some day", "--yes"], outcomes: [] },
  ],
  export: [
    { args: [...data, "--out", at("export")], outcomes: DONE },
    { args: [...data, "--out", at("export")], outcomes: REFUSED },
  ],
  backup: [
    { args: [...data, "--to", at("backup")], outcomes: DONE },
    { args: [...data, "--to", join(archive, "inside")], outcomes: REFUSED },
  ],
  restore: [
    {
      args: ["--from", at("backup"), "--data", at("restored")],
      outcomes: DONE,
      in: at("restored"),
    },
  ],
  migrate: [
    { args: ["--from", archive, "--data", at("migrated")], outcomes: DONE },
    {
      args: ["--from", archive, "--data", at("migrated")],
      outcomes: [...DONE, ...DONE],
      in: at("migrated"),
    },
    { args: ["--from", archive, "--data", at("other")], outcomes: REFUSED },
  ],
  verify: [
    { args: data, outcomes: [] },
    { args: [...data, "--remove-leftovers"], outcomes: DONE },
  ],
  history: [{ args: [...data, "--call-id", "1"], outcomes: DONE }],
  trace: [{ args: [...data, "--call-id", "1"], outcomes: DONE }],
  "hold add": [
    { args: [...data, "smith", "--reason", "r", "--words", "smith"], outcomes: DONE },
    { args: [...data, "smith", "--reason", "r", "--words", "smith"], outcomes: REFUSED },
  ],
  "hold list": [{ args: data, outcomes: DONE }],
  "hold show": [{ args: [...data, "smith"], outcomes: DONE }],
  "hold release": [{ args: [...data, "smith", "--reason", "r"], outcomes: DONE }],
  "retention set": [{ args: [at("policy.json"), ...data], outcomes: DONE }],
  "retention show": READ,
  "retention plan": READ,
  "retention apply": [{ args: [...data, "--yes"], outcomes: DONE }],
  coverage: [{ args: data, outcomes: DONE }],
  doctor: READ,
  reindex: [
    { args: data, outcomes: DONE },
    { args: data, outcomes: REFUSED, isHeld: true },
  ],
  setup: [{ args: data, outcomes: DONE }],
  purge: [
    { args: [...data, "--call-id", "a", "--yes"], outcomes: ["begun", "", "done"] },
    { args: [...data, "--call-id", "a", "--yes"], outcomes: DONE },
    { args: [...data, "--before", "2030-01-01", "--yes"], outcomes: REFUSED, isHeld: true },
    { args: [...data, "--call-id", "b", "--dry-run"], outcomes: [] },
  ],
  demo: [{ args: ["--data", at("demo")], outcomes: DONE, in: at("demo") }],
  serve: READ,
};

beforeAll(async () => {
  const call = (id: string) =>
    `{"kind":"call","call_id":"${id}","datetime":"2026-01-01T10:00:00Z"}\n`;
  await writeFile(at("calls.jsonl"), ["a", "b"].map(call).join(""));
  await writeFile(at("nothing.txt"), "nothing that is known\n");
  await writeFile(at("odd.csv"), "id\n1\n");
  await writeFile(at("map.json"), '{"version":1,"fields":{"call_id":"ID"}}');
  await writeFile(at("policy.json"), '{"retention":1,"otherwise":{"keep":"9 years"}}');
  await mkdir(join(archive, "inside"), { recursive: true });
  await run("user", "add", "--data", at("other"), "ben");
});
afterAll(() => rm(folder, { recursive: true }));

async function listCommands(): Promise<string[]> {
  const named = COMMANDS.map(async ({ name, load }) => {
    const command = new Command(name);
    (await load())(command);
    const { commands } = command;
    return commands.length === 0 ? [name] : commands.map((one) => `${name} ${one.name()}`);
  });
  return (await Promise.all(named)).flat();
}

async function readRows(directory: string, command: string): Promise<LogRow[]> {
  await using store = await openStore({ records: directory }, { toInspect: true });
  const rows: LogRow[] = [];
  for await (const row of store.accessLog.read({})) if (row.operation === command) rows.push(row);
  return rows;
}

test("no command is left out", async () => {
  expect(Object.keys(EXPECTED).toSorted()).toEqual((await listCommands()).toSorted());
});

const CASES = Object.entries(EXPECTED).flatMap(([command, rows]) =>
  rows === READ ? [] : rows.map((one) => [command, one] as const),
);

test.each(CASES)(
  "%s leaves its rows: %o",
  async (command, { args, outcomes, in: place = archive, isHeld }) => {
    const before = place === archive ? await readRows(place, command).catch(() => []) : [];
    const scan = isHeld && (await (await openMaintenance({ records: archive })).scan());
    await run(...command.split(" "), ...args);
    await scan?.[Symbol.asyncDispose]();
    const rows = (await readRows(place, command)).slice(before.length);
    expect(rows.map(({ outcome = "" }) => outcome)).toEqual(outcomes);
    expect(rows.every(({ operator }) => operator !== undefined)).toBe(true);
  },
);
