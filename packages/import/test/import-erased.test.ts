// What a purge has erased stays out when the same export is imported again, and comes back only when the operator says so (D33).
import { readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ArchiveItem, CallStore, ErasureFilter } from "@call-media/store";
import { backUp, examine, purge, restore } from "./support/maintenance.ts";
import { openScratchCopy, openStore } from "@call-media/store/sqlite";
import { importFiles, type ImportOptions } from "../src/index.ts";
import { createArchiveInFolder, createFolder, writeLines } from "./support/archives.ts";
import { message, query } from "./support/records.ts";

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
  const { directory, ...store } = await createArchiveInFolder();
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

async function purgeFrom(directory: string, filter: ErasureFilter): Promise<void> {
  await purge({ directory, filter, operator: "olive" });
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

  const { records } = await store.calls.search(query({}));
  expect(records.map(({ call_id: id }) => id)).toEqual(["B"]);
  expect(await store.calls.chat("A", "everything")).toEqual([]);
  expect(await listMedia(directory)).toEqual([]);
  expect(await store.importedRows()).toMatchObject({ imported: 3, erased: 4 });
  expect((await examine(directory)).filter(({ level }) => level === "error")).toEqual([]);
});

test("an operator brings it back, and from then on it is a record like any other", async () => {
  const { directory, store, importInto } = await createImported();
  await purgeFrom(directory, { callId: "A" });
  const announced: (readonly ArchiveItem[])[] = [];
  const onRestoring = async (restored: readonly ArchiveItem[]) => {
    // It is said before it is done.
    expect(await store.calls.byCallId("A", "everything")).toEqual([]);
    announced.push(restored);
  };
  const report = await importInto(store, { restoresErased: true, onRestoring });
  expect(report).toMatchObject({
    imported: 2,
    unchanged: 1,
    erased: 0,
    firstErased: [],
    notices: expect.arrayContaining([
      { text: "it was erased before, and is in the archive again", rows: 2 },
    ]),
  });
  expect(announced).toMatchObject([[{ kind: "call" }, { kind: "chat" }]]);
  expect(await store.calls.recordings({ callId: "A" }, "everything")).toHaveLength(1);
  expect(await store.calls.chat("A", "everything")).toEqual([CHAT]);
  expect(await importInto(store)).toMatchObject({ unchanged: 3, erased: 0 });

  await purgeFrom(directory, { before: "2025-05-02" });
  expect(await importInto(store)).toMatchObject({ unchanged: 1, erased: 2 });
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
