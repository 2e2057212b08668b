// A record that was edited between two searches is in the metadata once, and its earlier version next to it.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type FakeCall,
  MARCH,
  readManifest,
  readMetadata,
  readReport,
  startExporting,
} from "./support/exporting.ts";

const toCall = (call_id: string, more: FakeCall = {}): FakeCall => ({
  call_id,
  datetime: "2026-03-20T06:14:00Z",
  agent: "leila",
  ...more,
});

const OTHER = toCall("2", { agent: "omar" });

/** An export, and its syncs with services that have other calls. */
async function startSyncing(calls: readonly FakeCall[], ...args: string[]) {
  const { out, exportCalls, runCommand, variables } = await startExporting({ calls });
  expect(await exportCalls(...MARCH, ...args)).toMatchObject({ code: 0 });
  async function sync(now: readonly FakeCall[]) {
    const later = await startExporting({ calls: now });
    const plan = join(out, ".call-media", "plan.json");
    const baseUrl = String(later.variables["CALL_MEDIA_BASE_URL"]);
    const text = await readFile(plan, "utf8");
    await writeFile(plan, text.replace(/"baseUrl": ".*"/, `"baseUrl": "${baseUrl}"`));
    Object.assign(variables, later.variables);
    const { code, stdout } = await runCommand("sync", out, "--to", "2026-04-02");
    expect(code).toBe(0);
    expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
    return stdout;
  }
  return { out, sync, runCommand };
}

const SUPERSEDED = "superseded.jsonl";

async function readSuperseded(out: string) {
  const text = await readFile(join(out, SUPERSEDED), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line): FakeCall => JSON.parse(line));
}

const toDispositions = (records: readonly FakeCall[]) =>
  records.map(({ call_id, disposition = null }) => [call_id, disposition]);

test("the metadata has the latest version of a record that is edited twice, and of one that is edited back", async () => {
  const { out, sync } = await startSyncing([toCall("1"), OTHER]);
  expect(existsSync(join(out, SUPERSEDED))).toBe(false);

  const text = await sync([toCall("1", { disposition: "Sale" }), OTHER]);
  expect(text).toContain("\nedited   1 earlier version of a record is in superseded.jsonl");
  expect(toDispositions(await readMetadata(out))).toEqual([
    ["2", null],
    ["1", "Sale"],
  ]);
  expect(toDispositions(await readSuperseded(out))).toEqual([["1", null]]);
  expect((await readManifest(out)).slice(-2)).toMatchObject([
    { kind: "superseded", file: SUPERSEDED },
    { kind: "metadata" },
  ]);

  await sync([toCall("1", { disposition: "No sale" }), OTHER]);
  expect((await readReport(out)).records).toMatchObject({ written: 2, gone: 0, superseded: 2 });
  expect(toDispositions(await readMetadata(out))).toEqual([
    ["2", null],
    ["1", "No sale"],
  ]);

  await sync([toCall("1"), OTHER]);
  expect(toDispositions(await readMetadata(out))).toEqual([
    ["1", null],
    ["2", null],
  ]);
  expect(toDispositions(await readSuperseded(out))).toEqual([
    ["1", "Sale"],
    ["1", "No sale"],
  ]);
});

test("a spreadsheet program counts an edited record once", async () => {
  const { out, sync } = await startSyncing([toCall("1"), OTHER], "--format", "csv");
  await sync([toCall("1", { disposition: "Sale" }), OTHER]);
  const csv = await readFile(join(out, "metadata.csv"), "utf8");
  expect(csv.trimEnd().split("\n")).toHaveLength(3);
  expect(csv).toContain("Sale");
});

test.for(["jsonl", "csv"])(
  "earlier versions have only the fields of --columns, also next to %s",
  async (format) => {
    const columns = ["--columns", "call_id,disposition", "--format", format];
    const hidden = { agent: "leila", transcript: "My name is Omar.", ani: "+49301234567" };
    const { out, sync } = await startSyncing([toCall("1", hidden)], ...columns);
    await sync([toCall("1", { ...hidden, disposition: "Sale" })]);
    expect(await readSuperseded(out)).toEqual([{ call_id: "1", disposition: null }]);
  },
);

test("an index of an export with --columns reads only the new version of a record", async () => {
  const { out, sync, runCommand } = await startSyncing(
    [toCall("1"), OTHER],
    "--columns",
    "call_id,disposition",
  );
  const readCounts = async () => JSON.parse((await runCommand("index", out, "--json")).stdout);
  expect(await readCounts()).toMatchObject({ records: 2, added: 2 });
  await sync([toCall("1", { disposition: "Sale" }), OTHER]);
  expect(await readCounts()).toMatchObject({ records: 2, added: 1, rebuilt: false });
});

test("an edited record of a masked export is known by its other fields", async () => {
  const { out, sync } = await startSyncing(
    [toCall("1", { ani: "+49301234567" })],
    "--redact",
    "ani,agent",
  );
  await sync([toCall("1", { ani: "+49301234567", disposition: "Sale" })]);
  expect(toDispositions(await readMetadata(out))).toEqual([["1", "Sale"]]);
  expect(await readSuperseded(out)).toMatchObject([{ ani: "[redacted]" }]);
});

test("a masked export reports that values of a later leg are not masked in earlier files", async () => {
  const first = toCall("1", { notes: "Santos called" });
  const { out, sync } = await startSyncing([first], "--redact", "customer_last_name");
  expect((await readReport(out)).left).toEqual([]);
  await sync([first, toCall("1", { agent: "omar", customer_last_name: "Santos" })]);
  expect(await readSuperseded(out)).toMatchObject([{ notes: "Santos called" }]);
  expect((await readMetadata(out)).map(({ notes }) => notes)).toContain("[redacted] called");
  expect((await readReport(out)).left).toEqual([
    expect.stringMatching(
      /^what came before the latest sync, with superseded\.jsonl, .* is masked/,
    ),
  ]);
});

test("a removed record stays in the metadata, also if its call has another", async () => {
  const legs = [toCall("1"), toCall("1", { agent: "omar" })];
  const { out, sync } = await startSyncing(legs);
  await sync(legs.slice(0, 1));
  expect(await readMetadata(out)).toHaveLength(2);
  expect((await readReport(out)).records).toMatchObject({ gone: 1, superseded: 0 });
  expect(existsSync(join(out, SUPERSEDED))).toBe(false);
});

test("a removed record stays in the metadata, also if only its disposition tells it from another", async () => {
  const twins = [toCall("1", { disposition: "Sale" }), toCall("1", { disposition: "Lost" })];
  const { out, sync } = await startSyncing(twins);
  await sync(twins.slice(0, 1));
  expect(await readMetadata(out)).toHaveLength(2);
  expect((await readReport(out)).records).toMatchObject({ gone: 1, superseded: 0 });

  await sync([]);
  expect(await readMetadata(out)).toHaveLength(2);
  expect((await readReport(out)).records).toMatchObject({ gone: 2, superseded: 0 });
});

test("a record that is edited and then removed stays in its latest version, next to its twin", async () => {
  const twin = toCall("1", { disposition: "Lost" });
  const { out, sync } = await startSyncing([toCall("1"), twin]);
  for (const now of [[toCall("1", { disposition: "Sale" }), twin], [twin], []]) {
    await sync(now);
    expect((await readReport(out)).records).toMatchObject({
      gone: 2 - now.length,
      superseded: 1,
    });
    const dispositions = (await readMetadata(out)).map(({ disposition }) => disposition);
    expect(dispositions.map(String).toSorted()).toEqual(["Lost", "Sale"]);
    expect(toDispositions(await readSuperseded(out))).toEqual([["1", null]]);
  }
});

test("a new version replaces one record, also if a twin of it was removed", async () => {
  const { out, sync } = await startSyncing([
    toCall("1", { disposition: "Open" }),
    toCall("1", { disposition: "Lost" }),
  ]);
  await sync([toCall("1", { disposition: "Sale" })]);
  expect((await readReport(out)).records).toMatchObject({ written: 2, gone: 1, superseded: 1 });
});

test("an edit of one of two equal records leaves the other", async () => {
  const { out, sync } = await startSyncing([toCall("1"), toCall("1")]);
  await sync([toCall("1"), toCall("1", { disposition: "Sale" })]);
  const dispositions = (await readMetadata(out)).map(({ disposition }) => disposition);
  expect(new Set(dispositions)).toEqual(new Set([null, "Sale"]));
  expect(dispositions).toHaveLength(2);
});

test("verify finds a change of the earlier versions, and --repair writes them again", async () => {
  const { out, sync, runCommand } = await startSyncing([toCall("1")]);
  await sync([toCall("1", { disposition: "Sale" })]);
  const before = await readFile(join(out, SUPERSEDED));
  await rm(join(out, SUPERSEDED));
  expect(await runCommand("verify", out)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("superseded.jsonl is missing"),
  });
  expect(await runCommand("verify", "--repair", out)).toMatchObject({ code: 0 });
  expect(await readFile(join(out, SUPERSEDED))).toEqual(before);
});
