// What a purge has erased stays out when the same export is imported again, and comes back only when the operator says so (D33).
import { readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/import/index.ts";
import type { ArchiveItem, CallStore } from "../src/index.ts";
import { backUp, restore } from "../src/keeping/index.ts";
import { openScratchCopy, openStore } from "../src/sqlite/sqlite-store.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { contains, expectWell, listIds, purgeFrom } from "./support/purging.ts";
import { call, fill, message, toUser } from "./support/records.ts";

const CHAT = message("A", "Yes.", "2025-05-01T10:00:01Z");
const LINES = [
  {
    kind: "call",
    call_id: "A",
    agent: "ann",
    datetime: "2025-05-01T10:00:00Z",
    media: [{ file: "a.wav" }],
  },
  { kind: "chat", ...CHAT },
  { kind: "call", call_id: "B", datetime: "2025-05-02T10:00:00Z" },
];

/** An archive with `LINES`, and how they are imported again. */
async function createImported() {
  const { directory, ...store } = await createArchive();
  const path = await writeLines("calls.jsonl", LINES);
  await writeFile(join(dirname(path), "a.wav"), "sound of ann");
  const importInto = (into: CallStore, options: Partial<ImportOptions> = {}) =>
    importFiles({ store: into, paths: [path], ...options });
  await importInto(store);
  return { directory, store, path, importInto };
}

async function listMedia(directory: string): Promise<string[]> {
  const entries = await readdir(join(directory, "media"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test("a purged call stays purged, with its chat and its recording, and the account counts and names it", async () => {
  const { directory, store, path, importInto } = await createImported();
  await purgeFrom(directory, { callId: "A" });
  for (let time = 1; time <= 2; time += 1)
    expect(await importInto(store)).toMatchObject({
      read: 3,
      imported: 0,
      unchanged: 1,
      erased: 2,
      rejected: 0,
      firstErased: [
        { file: path, line: 1, record: "call A of 2025-05-01T10:00:00Z" },
        { file: path, line: 2, record: "chat A of 2025-05-01T10:00:01Z" },
      ],
    });

  expect(await listIds(store)).toEqual(["B"]);
  expect(await store.calls.chat("A", [])).toEqual([]);
  expect(await listMedia(directory)).toEqual([]);
  expect(await contains(directory, "sound of ann")).toEqual([]);
  expect(await store.importedRows()).toMatchObject({ imported: 3, erased: 4 });
  await expectWell(directory);
});

test("an operator brings it back, and from then on it is a record like any other", async () => {
  const { directory, store, importInto } = await createImported();
  await purgeFrom(directory, { callId: "A" });
  const report = await importInto(store, { restoresErased: true });
  expect(report).toMatchObject({ imported: 2, unchanged: 1, erased: 0, firstErased: [] });
  expect(await store.calls.recordings({ callId: "A" }, [])).toHaveLength(1);
  expect(await store.calls.chat("A", [])).toEqual([CHAT]);
  expect(await importInto(store)).toMatchObject({ unchanged: 3, erased: 0 });

  await purgeFrom(directory, { before: "2025-05-02" });
  expect(await importInto(store)).toMatchObject({ unchanged: 1, erased: 2 });
});

const AT = "2025-05-01T10:00:00Z";
const OTHER_DAY = "2025-05-02T10:00:00Z";

// The same record by D32, and another one, of a call that was erased.
test.each<[what: string, erased: ArchiveItem, again: ArchiveItem, other: ArchiveItem]>([
  [
    "with other values",
    call({ call_id: "A", agent: "ann", datetime: AT }),
    call({ call_id: "A", agent: "ann", datetime: AT, notes: "corrected" }),
    call({ call_id: "A", agent: "bob", datetime: AT }),
  ],
  [
    "without a call_id",
    call({ agent: "ann", datetime: AT }),
    call({ agent: "ann", datetime: AT, recordings: "a.wav" }),
    call({ agent: "ann", datetime: AT, notes: "another" }),
  ],
  [
    "without a datetime",
    call({ call_id: "A" }),
    call({ call_id: "A", notes: "corrected" }),
    call({ call_id: "A", datetime: AT }),
  ],
  [
    "with the reference that it got later",
    call({ call_id: "A", datetime: AT }),
    call({ call_id: "A", datetime: AT, ref_id: "R" }, { hasLateReference: true }),
    call({ call_id: "A", datetime: AT, ref_id: "R" }),
  ],
  [
    "in a later state of its source",
    call({ call_id: "A", datetime: AT, agent: "ann" }, { revisedMs: 1 }),
    call({ call_id: "A", datetime: OTHER_DAY, agent: "bob" }, { revisedMs: 2 }),
    call({ call_id: "A", datetime: OTHER_DAY, agent: "bob" }),
  ],
  [
    "with the identity that its source declares",
    call({ call_id: "A", datetime: AT, agent: "ann" }, { identity: ["7", "1"] }),
    call({ call_id: "A", datetime: AT, agent: "bob" }, { identity: ["7", "1"] }),
    call({ call_id: "A", datetime: OTHER_DAY }, { identity: ["7", "1"] }),
  ],
])("a record %s is erased before; another one is not", async (_what, erased, again, other) => {
  const { directory, ...store } = await createArchive();
  await fill(store, [erased]);
  await purgeFrom(directory, { before: "2026-01-01" });
  await purgeFrom(directory, { isUndated: true });
  expect(await fill(store, [again, other, erased])).toEqual(["erased", "imported", "erased"]);
});

test("of a row of several records those stay out that were erased, and the chat of a call with it", async () => {
  const { directory, ...store } = await createArchive();
  const leg = (agent: string) => call({ call_id: "A", agent, datetime: AT, ref_id: agent });
  const chat = (text: string) => ({ kind: "chat" as const, record: message("A", text, AT) });
  const user = { kind: "user" as const, record: toUser(1) };
  await fill(store, [leg("ann"), chat("Yes.")]);
  await purgeFrom(directory, { callId: "A" });

  await using session = await store.openImport();
  const write = (...row: ArchiveItem[]) => session.write([row]);
  expect(await write(leg("ann"), chat("Yes."), chat("No."))).toEqual(["erased"]);
  expect(await write(leg("ann"), user)).toEqual(["imported"]);
  expect(await store.calls.byCallId("A", [])).toEqual([]);
  expect(await write(leg("ann"), leg("bob"), chat("Yes."), chat("No."))).toEqual(["imported"]);
  expect(await store.calls.byCallId("A", [])).toMatchObject([{ agent: "bob" }]);
  expect(await store.calls.chat("A", [])).toMatchObject([{ transcript: "No." }]);
});

test("a purge that was cut off has left a tombstone of all that it erased", async () => {
  const { directory, store, importInto } = await createImported();
  const media = join(directory, "media");
  await rm(media, { recursive: true });
  await writeFile(media, "no folder");
  await expect(purgeFrom(directory, { callId: "A" })).rejects.toThrow("ENOTDIR");
  await rm(media);
  await purgeFrom(directory, { callId: "A" });
  expect(await importInto(store)).toMatchObject({ erased: 2, unchanged: 1 });
});

test("a backup, its restore and a dry run know what was erased", async () => {
  const { directory, importInto } = await createImported();
  await purgeFrom(directory, { callId: "A" });
  const folder = await createFolder();
  await backUp({ from: directory, to: join(folder, "backup") });
  await restore({ from: join(folder, "backup"), to: join(folder, "restored") });
  await using restored = await openStore({ directory: join(folder, "restored") });
  expect(await importInto(restored)).toMatchObject({ erased: 2, unchanged: 1 });
  await using scratch = await openScratchCopy({ directory });
  expect(await importInto(scratch)).toMatchObject({ erased: 2, unchanged: 1 });
});
