// Rows of a file that say the same: without an identifier each is a call. Values have no spaces around them.
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXPORT_FORMATS } from "../src/export/index.ts";
import { importFiles } from "../src/index.ts";
import {
  createArchive,
  createArchiveInFolder,
  createFolder,
  writeLines,
} from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";
import { examine, exportArchive, purge } from "./support/maintenance.ts";
import { query } from "./support/records.ts";

const MISSED = {
  kind: "call",
  datetime: "2026-08-21T09:00:00Z",
  ani: "555",
  disposition: "Missed",
};

test("three missed calls of one minute are three, in every file, and unchanged when they come again", async () => {
  const { directory, ...store } = await createArchiveInFolder();
  const three = await writeLines("a.jsonl", [MISSED, MISSED, { ...MISSED, ani: "556" }, MISSED]);
  const more = await writeLines("b.jsonl", [MISSED, MISSED, MISSED, MISSED]);
  const bring = (...paths: string[]) => importFiles({ store, paths });

  expect(await bring(three)).toMatchObject({ imported: 4, unchanged: 0 });
  expect(await bring(three, three)).toMatchObject({ imported: 0, unchanged: 8 });
  expect(await bring(more)).toMatchObject({ imported: 1, unchanged: 3 });
  expect(await store.calls.search(query({}))).toMatchObject({ recordCount: 5 });
  expect((await examine(directory)).filter(({ what }) => !what.includes("disk"))).toEqual([]);

  for (const format of Object.values(EXPORT_FORMATS)) {
    const to = join(await createFolder(), "out");
    await exportArchive({ directory, format, to });
    const again = createArchive();
    const paths = [to];
    expect(await importFiles({ store: again, paths })).toMatchObject({ imported: 5, rejected: 0 });
    expect(await importFiles({ store: again, paths: [more] })).toMatchObject({ unchanged: 4 });
  }
  await purge({ directory, filter: { before: "2027-01-01" }, operator: "olive" });
  expect(await bring(more)).toMatchObject({ imported: 0, erased: 4 });
});

test("of equal rows with an identifier one is a call", async () => {
  const store = createArchive();
  const row = { ...MISSED, call_id: "7" };
  const paths = [await writeLines("a.jsonl", [row, row])];
  expect(await importFiles({ store, paths })).toMatchObject({ imported: 1, unchanged: 1 });
});

test("a value of a mapping has no spaces around it, and is found; the archive's own lines stay as they are", async () => {
  const store = createArchive();
  const fields = { call_id: "{id}", ref_id: "{ref}", session_id: "{s}", agent: "{agent}" };
  const mapping = { kind: "call", fields, nulls: ["", "NA"] };
  await importCsv(store, mapping, ["id,ref,s,agent", ' A ," R\u00a0", S , NA ']);
  const lines = [
    { kind: "call", call_id: " B\t", master_id: " M ", agent: " ann " },
    { kind: "chat", call_id: "B ", datetime: MISSED.datetime, party_type: "agent", room_id: "1" },
    { kind: "call", call_id: "  ", notes: "no identifier" },
  ];
  const paths = [await writeLines("a.jsonl", lines)];
  await importFiles({ store, paths });
  const mappingFile = await writeLines("map.json", [mapping]);
  const json = await writeLines("a.json", [[{ id: " C ", ref: 1, s: "", agent: " ben" }]]);
  await importFiles({ store, paths: [json], mappingFile });

  expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ agent: null }]);
  for (const reference of ["R", "S"])
    expect(await store.calls.byReference(reference, "everything")).toHaveLength(1);
  expect(await store.calls.byCallId(" B\t", "everything")).toMatchObject([{ agent: " ann " }]);
  expect(await store.calls.byReference(" M ", "everything")).toHaveLength(1);
  expect(await store.calls.chat("B ", "everything")).toHaveLength(1);
  expect(await store.calls.byCallId("C", "everything")).toMatchObject([{ agent: "ben" }]);
});
