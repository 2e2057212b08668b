// Rows that are not records of a file: several records are one call, one record is several, and what belongs to calls lies elsewhere.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toWave } from "@call-media/test-setup/sounds";
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

async function bring(
  mapping: object,
  files: Readonly<Record<string, readonly (string | object)[]>>,
  options: Partial<ImportOptions> = {},
) {
  const store = createArchive();
  const paths: string[] = [];
  for (const [name, lines] of Object.entries(files)) paths.push(await writeLines(name, lines));
  const mappingFile = await writeLines("map.json", [{ mapping: 2, ...mapping }]);
  const report = await importFiles({ store, paths, mappingFile, ...options });
  const read = async (callId: string) => await store.calls.byCallId(callId, "everything");
  return { store, report, read };
}

const EVENTS = [
  "1787302700|NONE|NONE|NONE|QUEUESTART|",
  "1787302800|95.1|sales|NONE|ENTERQUEUE||5550100",
  "1787302802|95.2|sales|NONE|ENTERQUEUE||5550102",
  "1787302810|95.1|sales|SIP/201|CONNECT|10|94.9",
  "1787302812|95.2|sales|NONE|ABANDON|1|1",
  "1787302850||sales|NONE|TRANSFER|1|1",
  "1787302900|95.1|sales|SIP/201|COMPLETEAGENT|10|90",
];

const QUEUE_LOG = {
  lines:
    "^(?<time>\\d{10})\\|(?<id>[^|]*)\\|(?<queue>[^|]*)\\|(?<agent>[^|]*)\\|(?<event>[^|]*)(?:\\|(?<first>[^|]*))?(?:\\|(?<second>[^|]*))?",
  skip: ["\\|QUEUESTART\\|"],
  group: { by: ["{id}"] },
  nulls: ["NONE"],
  fields: {
    call_id: "{id}",
    datetime: { from: "{time}", format: "unix" },
    ani: { from: "{second}", when: { "{event}": "ENTERQUEUE" } },
    agent: { from: "{agent}", match: "/(\\d+)", when: { "{event}": "CONNECT" } },
    talk_time: { from: "{second}", when: { "{event}": ["COMPLETEAGENT", "COMPLETECALLER"] } },
    disposition: { from: "{event}", row: "last" },
    ivr_path: { from: "{event}", row: "all" },
    custom_field_1: "{$rows}",
  },
};

test("lines of a log that have one identifier are one call, wherever they stand", async () => {
  const { report, read } = await bring(QUEUE_LOG, { queue_log: EVENTS }, { format: "csv" });
  expect(report).toMatchObject({
    read: 3,
    imported: 2,
    firstRejections: [{ line: 6, reason: expect.stringContaining("group.by") }],
  });
  expect(await read("95.1")).toMatchObject([
    {
      datetime: "2026-08-21T09:00:00Z",
      ani: "5550100",
      agent: "201",
      talk_time: 90,
      disposition: "COMPLETEAGENT",
      ivr_path: "ENTERQUEUE; CONNECT; COMPLETEAGENT",
      custom_field_1: "3",
    },
  ]);
  expect(await read("95.2")).toMatchObject([{ agent: null, disposition: "ABANDON" }]);
});

test("a group by what several calls share is rejected, and loses none of them without a word", async () => {
  const byQueue = { ...QUEUE_LOG, group: { by: ["{queue}"] } };
  const { report } = await bring(byQueue, { queue_log: EVENTS }, { format: "csv" });
  expect(report).toMatchObject({
    imported: 0,
    firstRejections: [
      { reason: expect.stringContaining('rows of one group have "95.1" and "95.2"') },
    ],
  });
});

test("a row that continues the one above adds its recordings, also where headers repeat in another order", async () => {
  const table = ["Id,Start,File", "1,2026-08-21T09:00:00Z,a.wav", ",,b.wav", "File,Id,Start"];
  const mapping = {
    group: { continues: { "{Id}": null } },
    fields: { call_id: "{Id}", datetime: "{Start}" },
    media: ["{File}"],
  };
  const lines = [...table, "c.wav,,", "d.wav,2,2026-08-21T10:00:00Z", "e.wav,,"];
  const options = { missingMedia: "name" } as const;
  const { report, read } = await bring(mapping, { "log.csv": lines }, options);
  expect(report).toMatchObject({ read: 2, imported: 2 });
  expect(await read("1")).toMatchObject([{ recordings: "a.wav; b.wav; c.wav" }]);
  expect(await read("2")).toMatchObject([{ recordings: "d.wav; e.wav" }]);
});

const RECORD = {
  id: "7",
  at: "2026-08-21T09:00:00Z",
  segments: [
    { from: "ann", start: "2026-08-21T09:00:00Z" },
    { from: "bo", start: "2026-08-21T09:05:00Z" },
  ],
};

test("each element of a record is a leg; a record without one is rejected", async () => {
  const mapping = {
    each: "segments.*",
    fields: { call_id: "{id}", datetime: "{$each.start}", agent: "{$each.from}" },
    identity: ["{$each.start}"],
  };
  const log = { "log.jsonl": [RECORD, { ...RECORD, id: "8", segments: [] }] };
  const { report, read } = await bring(mapping, log);
  expect(report).toMatchObject({ read: 2, imported: 1, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toBe("segments: has no element, and each is a record");
  expect(await read("7")).toMatchObject([{ agent: "bo" }, { agent: "ann" }]);
  const misspelt = { ...mapping, fields: { ...mapping.fields, agent: "{$each.form}" } };
  await expect(bring(misspelt, log)).rejects.toThrow('for "form" there is "from"');
});

test("turns inside a record are messages of its call", async () => {
  const mapping = {
    fields: { call_id: "{id}", datetime: "{at}" },
    chats: [
      {
        each: "segments.*",
        fields: {
          datetime: "{$each.start}",
          party_type: "agent",
          room_id: "{id}",
          transcript: "{$each.from}",
        },
      },
    ],
  };
  const { report, store } = await bring(mapping, { "log.json": [RECORD] });
  expect(report).toMatchObject({ read: 1, imported: 1 });
  expect(await store.calls.chat("7", "everything")).toMatchObject([
    { transcript: "ann", room_id: "7" },
    { transcript: "bo" },
  ]);
});

const JOINED = {
  join: {
    rec: {
      when: { keys: ["call", "url"] },
      key: ["{call}"],
      on: ["{id}"],
    },
  },
  fields: { call_id: "{id}", datetime: "{at}", custom_field_1: "{rec.note}" },
  media: ["{rec.url}"],
};

test("records of another file find their call; without that file the archive keeps what it has", async () => {
  const { segments: _, ...call } = RECORD;
  const recordings = ["b", "a"].map((name) => ({
    call: "7",
    url: `https://x/${name}.wav?s=1`,
    note: name,
  }));
  const path = await writeLines("recordings.jsonl", recordings);
  await writeFile(join(dirname(path), "a.wav"), toWave());
  const mappingFile = await writeLines("map.json", [{ mapping: 2, ...JOINED }]);
  const store = createArchive();
  const calls = await writeLines("calls.jsonl", [call]);
  const options = {
    store,
    mappingFile,
    mediaDirectory: dirname(path),
    missingMedia: "name",
  } as const;
  for (const paths of [[path, calls], [calls]]) {
    const report = await importFiles({ ...options, paths });
    expect(report).toMatchObject({ read: 1, rejected: 0 });
    expect(await store.calls.byCallId("7", "everything")).toMatchObject([
      { recordings: "a.wav; b.wav" },
    ]);
  }
  const stray = await writeLines("stray.jsonl", [{ call: "9", url: "c.wav", note: "c" }]);
  const report = await importFiles({ ...options, store: createArchive(), paths: [calls, stray] });
  expect(report.firstRejections[0]?.reason).toBe(
    "rec: it belongs to the call 9, which is not imported with it: give the file of the calls as well",
  );
  const misspelt = { mapping: 2, ...JOINED, media: ["{rec.uri}"] };
  const other = await writeLines("map.json", [misspelt]);
  await expect(
    importFiles({ ...options, mappingFile: other, paths: [calls, path] }),
  ).rejects.toThrow('for "uri" there is "url"');
});

test.each<[what: string, change: object, fault: string]>([
  [
    "two kinds of groups",
    { group: { by: ["{id}"], continues: { "{id}": null } } },
    "group: must have",
  ],
  [
    "a row of nothing",
    { fields: { call_id: { from: "{id}", row: "last" } } },
    'row: goes with "of"',
  ],
  ["elements of a table", { each: "legs.*", table: { delimiter: ";" } }, "each: goes with records"],
  [
    "a join without keys",
    { join: { r: { when: {}, key: ["{a}"], on: ["{b}"] } } },
    "must be a list of keys",
  ],
  [
    "keys that differ in number",
    { join: { r: { when: { keys: ["a"] }, key: ["{a}"], on: ["{b}", "{c}"] } } },
    '"key" and "on"',
  ],
  ["turns of turns", { kind: "chat", chats: [] }, "chats: stand in a mapping of calls"],
])("%s is refused", async (_, change, fault) => {
  const mapping = { fields: { call_id: "{id}" }, ...change };
  await expect(bring(mapping, { "log.jsonl": [RECORD] })).rejects.toThrow(fault);
});
