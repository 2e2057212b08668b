// JSON of any shape: which member becomes which field is said by a mapping, as it is of a table; and a mapping adds fields to
// those of a format.
import { expect, test } from "vitest";
import { ImportError, importFiles, type ImportOptions, type ImportReport } from "../src/index.ts";
import type { CallStore } from "@call-media/store";
import { createArchive, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";

const MAPPING = {
  nulls: ["", "none"],
  fields: {
    call_id: "{id}",
    datetime: { from: "{started}", format: "unix" },
    agent: ["{people[0].login}", "{people[1].login}"],
    agent_name: "{people[0].name.first} {people[0].name.last}",
    talk_time: { from: "{lengths.talk}", as: "duration" },
    custom_field_1: "{tags}",
    custom_field_2: "{isKept}",
    notes: "{text}",
  },
  optional: ["people[0].name.last"],
};
const RECORD = {
  id: 7,
  started: 1_746_093_600.5,
  people: [{ login: "none", name: { first: "Ann" } }, { login: "bo" }],
  lengths: { talk: "2:03" },
  tags: ["a", { b: 1 }],
  isKept: false,
  text: null,
};
const EXPECTED = toRecord({
  call_id: "7",
  datetime: "2025-05-01T10:00:00.500Z",
  agent: "bo",
  agent_name: "Ann",
  talk_time: 123,
  custom_field_1: '["a",{"b":1}]',
  custom_field_2: "false",
});

test.each<[string, string | undefined, readonly (string | object)[]]>([
  ["one a line", undefined, [RECORD]],
  ["an array", undefined, [[RECORD]]],
  ["an array somewhere", "answer.calls.*", [{ answer: { calls: [RECORD] } }]],
  ["members of an object", "calls.*", [{ calls: { x: RECORD } }]],
])("records as %s", async (_, records, lines) => {
  const store = createArchive();
  const report = await importMapped(store, { ...MAPPING, records }, lines);
  expect(report).toMatchObject({ read: 1, imported: 1 });
  expect(await store.calls.byCallId("7", "everything")).toEqual([EXPECTED]);
});

test("a value that cannot be converted rejects its record, by field and line", async () => {
  const store = createArchive();
  const report = await importMapped(store, MAPPING, [RECORD, { ...RECORD, started: "now" }, [1]]);
  expect(report.firstRejections.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'datetime: "now" is not a number of seconds'],
    [3, "a record must be an object, not an array"],
  ]);
});

test("members are the record's own, not those that every object has", async () => {
  const store = createArchive();
  const fields = { call_id: "{id}", notes: "{constructor.name}{__proto__}{people.length}" };
  const optional = ["constructor.name", "__proto__", "people.length"];
  await importMapped(store, { fields, optional }, [RECORD]);
  expect(await store.calls.byCallId("7", "everything")).toEqual([toRecord({ call_id: "7" })]);
});

const CONTACT = {
  contactId: "c",
  masterContactId: "m",
  contactStart: "2026-01-01T00:00:00Z",
  stateId: 24,
};

test("a mapping adds fields to those of a format, and its own win", async () => {
  const store = createArchive();
  const mapping = {
    fields: { custom_field_1: "{stateId}", ref_id: "master {masterContactId}" },
  };
  const report = await importMapped(store, mapping, [CONTACT], "nice-contacts");
  expect(report).toMatchObject({ imported: 1 });
  expect(await store.calls.byCallId("c", "everything")).toEqual([
    toRecord({
      call_id: "c",
      ref_id: "master m",
      datetime: CONTACT.contactStart,
      custom_field_1: "24",
    }),
  ]);
});

test.each<[object, ImportOptions["format"], string]>([
  [{ table: { columns: ["A"] } }, "json", "columns and delimiter belong to a table"],
  [{ table: { delimiter: ";" } }, "json", "columns and delimiter belong to a table"],
  [{ fields: { agent: "{}" }, optional: [] }, "json", 'fields.agent: "{}" names no member'],
  [{ records: "*" }, "nice-contacts", "records: the format gives it"],
  [{ table: { delimiter: ";" } }, "nice-contacts", "delimiter: the format gives it"],
  [{}, "jsonl", "jsonl takes no mapping file: it has its own fields"],
  [{}, "vcon", "vcon takes no mapping file: it has its own fields"],
])("%j is no mapping of %s", async (change, format, fault) => {
  const store = createArchive();
  const attempt = importMapped(store, { ...MAPPING, ...change }, [CONTACT], format);
  await expect(attempt).rejects.toThrow(ImportError);
  await expect(attempt).rejects.toThrow(fault);
});

test("json and csv without a mapping are refused", async () => {
  const store = createArchive();
  const paths = [await writeLines("a.json", [RECORD])];
  for (const format of ["json", "csv"] as const)
    await expect(importFiles({ store, paths, format })).rejects.toThrow(
      `${format} needs a mapping file`,
    );
});

async function importMapped(
  store: CallStore,
  mapping: object,
  lines: readonly (string | object)[],
  format?: ImportOptions["format"],
): Promise<ImportReport> {
  const mappingFile = await writeLines("map.json", [mapping]);
  return await importFiles({
    store,
    paths: [await writeLines("a.json", lines)],
    format,
    mappingFile,
  });
}
