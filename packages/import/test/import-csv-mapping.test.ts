// A mapping that is wrong is said to be, by the key, before a row is read.
import { expect, test } from "vitest";
import { ImportError, importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const FIELDS = { call_id: "{A}" };
const CHAT = { datetime: "{A}", party_type: "x", room_id: "y" };

test.each<[mapping: unknown, fault: string]>([
  ["{", "not valid JSON"],
  [[], "the mapping: must be an object, not an array"],
  [
    { fields: FIELDS, field: {} },
    'the mapping: "field" is not a key; known are mapping, kind, table, lines, skip,',
  ],
  [{ mapping: 1, fields: FIELDS }, "mapping: must be 2, the version of its language"],
  [{ kind: "user", fields: FIELDS }, 'kind: must be "call" or "chat"'],
  [{ kind: "call" }, "fields: must be an object, not undefined"],
  [{ fields: {} }, "fields: must name at least one field"],
  [{ fields: { callid: "{A}" } }, 'fields: "callid" is not a key; known are datetime, ani,'],
  ['{"kind":"call","fields":{"__proto__":"{A}"}}', 'fields: "__proto__" is not a key'],
  [{ fields: { ...FIELDS, recording: "{A}" } }, 'fields: "recording" is not a key'],
  [{ fields: { agent: 7 } }, "fields.agent: must be an object, not a number"],
  [
    { fields: { agent: { to: "{A}" } } },
    'fields.agent: "to" is not a key; known are from, as, format, epoch',
  ],
  [
    { fields: { agent: {} } },
    'fields.agent.from: must be a template such as "{Column}" or a list of them, not undefined',
  ],
  [
    { fields: { agent: [] } },
    'fields.agent.from: must be a template such as "{Column}" or a list of them, not an array',
  ],
  [{ fields: { agent: ["{A}", 7] } }, "fields.agent[1]: must be an object, not a number"],
  [{ fields: FIELDS, records: "calls.*" }, "records: a table has no path to its rows"],
  [
    { fields: { agent: "{A" } },
    'fields.agent: "{" is not closed in "{A"; write {{ for the brace itself',
  ],
  [{ fields: { agent: "{C}" } }, 'log.csv: fields.agent: the file has no column "C"'],
  [{ fields: { agent: "{B}" } }, 'fields.agent: the file has several columns "B"'],
  [
    { fields: { agent: { from: "{A}", as: "number" } } },
    "fields.agent.as: must be one of text, integer, duration, datetime",
  ],
  [{ fields: { agent: { from: "{A}", as: "toString" } } }, "fields.agent.as: must be one of text"],
  [
    { fields: { talk_time: { from: "{A}", as: "text" } } },
    "fields.talk_time.as: must be integer or duration for this field",
  ],
  [
    { fields: { agent: { from: "{A}", as: "text", format: "unix" } } },
    'fields.agent.format: must be iso, unix, unix-ms or a pattern, and "as" must be datetime',
  ],
  [
    { fields: { datetime: { from: "{A}", format: 7 } } },
    "fields.datetime.format: must be iso, unix",
  ],
  [
    { fields: { datetime: { from: "{A}", format: "YYYY-MM-DD" } } },
    'fields.datetime.format: "YYYY-MM-DD" is not a date pattern',
  ],
  [
    { fields: { datetime: { from: "{A}", format: "y".repeat(50_000) } } },
    "fields.datetime.format: has 50,000 letters: a pattern of a date has at most 100",
  ],
  [
    { fields: { talk_time: { from: "{A}", unit: "minutes" } } },
    'fields.talk_time.unit: must be one of ms, s, min, h, and "as" must be duration',
  ],
  [
    { fields: { talk_time: { from: "{A}", as: "integer", unit: "ms" } } },
    'fields.talk_time.unit: must be one of ms, s, min, h, and "as" must be duration',
  ],
  [
    { fields: { agent: { from: "{A}", zone: "UTC" } } },
    'fields.agent.zone: must be a template such as "{Time zone}", and "as" must be datetime',
  ],
  [
    { fields: { agent: { from: "{A}", values: { a: 1 } } } },
    "fields.agent.values: must give texts, not a number",
  ],
  [
    { kind: "chat", fields: { room_id: "{A}" }, identity: ["{A}"] },
    "identity: a chat message is told by all of its fields",
  ],
  [
    { fields: { call_id: "{A}" }, identity: [] },
    "identity: is empty: name what tells records of one call_id apart, or leave it out",
  ],
  [
    { fields: { datetime: { from: "{A}", format: "HH:mm" } } },
    'fields.datetime.format: "HH:mm" is not a date pattern',
  ],
  [
    { fields: { datetime: { from: "{A}", epoch: "2026-01-05" } } },
    "fields.datetime.epoch: goes with the format unix or unix-ms alone",
  ],
  [
    { fields: { datetime: { from: "{A}", format: "unix", epoch: 0 } } },
    "fields.datetime.epoch: must be a string, not a number",
  ],
  [
    { fields: { datetime: { from: "{A}", format: "unix", epoch: "May" } } },
    'fields.datetime.epoch: "May" is not an ISO 8601 date and time',
  ],
  [{ fields: FIELDS, delimiter: ";" }, 'delimiter: belongs into "table": { "delimiter": … }'],
  [{ fields: FIELDS, table: { delimiter: ";;" } }, "table.delimiter: must be one character"],
  [{ fields: FIELDS, table: { delimiter: '"' } }, "table.delimiter: must be one character"],
  [{ fields: FIELDS, records: 7 }, 'records: must be a path such as "calls.*"'],
  [{ fields: FIELDS, table: { columns: "A,B" } }, "table.columns: must be an array of strings"],
  [{ fields: FIELDS, nulls: [null] }, "nulls: must be an array of strings"],
  [{ fields: FIELDS, media: ["{C}"] }, 'media[0]: the file has no column "C"'],
  [
    { kind: "chat", fields: { ...CHAT, agent: "{A}" } },
    'fields: "agent" is not a key; known are call_id, transcript, datetime',
  ],
  [{ kind: "chat", fields: { ...CHAT, session_id: "{A}" } }, 'fields: "session_id" is not a key'],
  [
    { kind: "chat", fields: { datetime: "{A}", room_id: "y" } },
    "fields.party_type: missing, a chat message must have it",
  ],
  [{ kind: "chat", fields: CHAT, media: ["{A}"] }, "media: a chat message has no recordings"],
])("%j is refused", async (mapping, fault) => {
  const store = createArchive();
  const mappingFile = await writeLines("map.json", [
    typeof mapping === "string" ? mapping : JSON.stringify(mapping),
  ]);
  const paths = [await writeLines("log.csv", ["A,B,B", "1,2,3"])];

  const attempt = importFiles({ store, paths, format: "csv", mappingFile });

  await expect(attempt).rejects.toThrow(ImportError);
  await expect(attempt).rejects.toThrow(fault);
  expect(await store.calls.byCallId("1", "everything")).toEqual([]);
});

test("the message names the mapping file, and a missing one", async () => {
  const store = createArchive();
  const paths = [await writeLines("log.csv", ["A", "1"])];
  const mappingFile = await writeLines("map.json", ["[]"]);

  await expect(importFiles({ store, paths, format: "csv", mappingFile })).rejects.toThrow(
    `the mapping ${mappingFile}: `,
  );
  await expect(
    importFiles({ store, paths, format: "csv", mappingFile: "/nowhere/map.json" }),
  ).rejects.toThrow("/nowhere/map.json does not exist");
});

test("a header that cannot be read ends the import", async () => {
  const store = createArchive();
  const paths = [await writeLines("log.csv", ['A,"B', "1,2"])];
  const mappingFile = await writeLines("map.json", [{ fields: FIELDS }]);

  await expect(importFiles({ store, paths, format: "csv", mappingFile })).rejects.toThrow(
    "log.csv: the header cannot be read: a quote",
  );
});
