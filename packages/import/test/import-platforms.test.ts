// Exports of platforms that are told by their header or their keys, as their public documentation shows them.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Allowance, importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { query } from "./support/records.ts";

const CASES = fileURLToPath(new URL("cases/", import.meta.url));
const PLATFORMS = join(CASES, "platforms");

const COMMON = {
  ani: "+15551230001",
  dnis: "+18005550100",
  call_type: "Inbound",
  agent_name: "Jane Doe",
};

test.each<[file: string, recording: string | undefined, fields: object]>([
  [
    "3cx.csv",
    "[Bob]_5551230001-101_20260821090000(9).wav",
    {
      ...COMMON,
      call_id: "20260821090000-5551230001-800",
      datetime: "2026-08-21T09:00:00",
      ani: "5551230001",
      dnis: "800",
      agent: "101",
      talk_time: 95,
      customer_first_name: "Bob",
      disposition: "Answered",
    },
  ],
  [
    "zoom.json",
    "rec1.mp3",
    {
      ...COMMON,
      call_id: "700000000000000001",
      datetime: "2026-08-21T09:00:00Z",
      dnis: "101",
      agent: "u1",
      agent_name: "Jane",
      talk_time: 95,
    },
  ],
  [
    "aircall.json",
    "812.mp3",
    {
      ...COMMON,
      call_id: "812",
      datetime: "2026-08-21T09:00:00.000Z",
      ani: "+1 555-123-0001",
      dnis: "+1 800-555-0100",
      agent: "jane@example.com",
      talk_time: 90,
      disposition_notes: "Sale",
    },
  ],
  [
    "dialpad.csv",
    "4500000000000001.mp3",
    {
      ...COMMON,
      call_id: "4500000000000001",
      datetime: "2026-08-21 02:00:00.123456-07:00",
      agent: "jane@example.com",
      skill: null,
      talk_time: 91,
    },
  ],
  [
    "genesys-view.csv",
    undefined,
    {
      ...COMMON,
      call_id: "aaaa0000-0000-4000-8000-000000000001",
      datetime: "2026-08-21T09:00:00",
      agent: "Jane Doe",
      talk_time: 240,
      handle_time: 271,
      skill: "Queue A",
      disposition: "Sale",
    },
  ],
  [
    "webex.csv",
    undefined,
    {
      ...COMMON,
      call_id: "SSE1@10.0.0.1",
      ref_id: "corr-1",
      datetime: "2026-08-21T09:00:00.123Z",
      agent: "Jane Doe",
      talk_time: 95,
      disposition: "Answered",
    },
  ],
  ["freepbx.csv", undefined, { agent: "201", agent_name: "Agent 201", dnis: "8005550100" }],
  ["freepbx-out.csv", undefined, { agent: "201", agent_name: "Agent 201", dnis: "5553334444" }],
])("%s", async (file, recording, fields) => {
  const store = createArchive();
  const mediaDirectory = await createFolder();
  if (recording !== undefined) await writeFile(join(mediaDirectory, recording), "sound");
  const paths = [join(PLATFORMS, file)];
  expect(await importFiles({ store, paths, mediaDirectory })).toMatchObject({
    read: 1,
    imported: 1,
  });
  const { records } = await store.calls.search(query({}));
  expect(records).toMatchObject([
    recording === undefined ? fields : { ...fields, recordings: recording },
  ]);
  const callId = records[0]?.call_id ?? "";
  const found = await store.calls.recordings({ callId }, "everything");
  expect(found.map(({ filename }) => filename)).toEqual(recording === undefined ? [] : [recording]);
  expect(await importFiles({ store, paths, mediaDirectory })).toMatchObject({ unchanged: 1 });
});

test("a row of Dialpad for a call center names the queue, and no agent", async () => {
  const [header = "", row = ""] = (await readFile(join(PLATFORMS, "dialpad.csv"), "utf8")).split(
    "\n",
  );
  const queue = row.replace("Jane Doe,jane@example.com,user", "Sales,,callcenter");
  const store = createArchive();
  await importFiles({ store, paths: [await writeLines("log.csv", [header, queue])] });
  const { records } = await store.calls.search(query({}));
  expect(records).toMatchObject([{ agent: null, agent_name: null, skill: "Sales" }]);
});

test("a row of 3CX without a call above it, calls out, and another form of times", async () => {
  const lines = (await readFile(join(PLATFORMS, "3cx.csv"), "utf8")).trim().split("\n");
  const [header = "", call = "", leg = ""] = lines;
  const out =
    '"8/21/2026 1:00:00 PM","Jane Doe (101)","5551230002","Answered","","00:00:09","","","",""';
  const missed = call.replace("09:00:00", "10:00:00");
  const store = createArchive();
  const paths = [
    await writeLines("log.csv", [header, leg, out, missed, leg.replace("Answered", "Unanswered")]),
  ];
  expect(await importFiles({ store, paths })).toMatchObject({
    read: 3,
    imported: 2,
    firstRejections: [
      { line: 2, reason: "the row continues the one above it, and none stands above" },
    ],
  });
  const { records } = await store.calls.search(query({}));
  expect(records).toMatchObject([
    { datetime: "2026-08-21T13:00:00", agent: "101", call_type: "Outbound", dnis: "5551230002" },
    { datetime: "2026-08-21T10:00:00", agent: null, call_type: "Inbound" },
  ]);
});

test("a mapping says the unit of durations; without it an import whose calls take hours says so", async () => {
  await expect(bringUnits(await readUnits())).rejects.toThrow(
    /durations: talk_time is more than four hours.*"unit": "ms"/,
  );
  const { store, report } = await bringUnits(await readUnits(), ["durations"]);
  expect(report.doubts).toMatchObject([
    { name: "durations", effect: "warn", count: 2 },
    { name: "durations", effect: "warn", count: 1 },
  ]);
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([{ talk_time: 240_499 }]);

  const { talk_time, handle_time, ...others } = (await readUnits()).fields;
  const fields = {
    ...others,
    talk_time: { ...talk_time, unit: "ms" },
    handle_time: { ...handle_time, unit: "min" },
  };
  const right = await bringUnits({ fields });
  expect(right.report).not.toHaveProperty("doubts");
  expect(await right.store.calls.byCallId("1", "everything")).toMatchObject([
    { talk_time: 240, handle_time: 756 },
  ]);
});

test("values are exchanged and a zone is read from the record", async () => {
  const mapping = {
    fields: {
      call_id: "{id}",
      datetime: { from: "{t}", zone: "{zone}" },
      call_type: { from: "{way}", values: { i: "Inbound" } },
    },
  };
  const store = createArchive();
  const table = [
    "id,t,zone,way",
    "1,2026-08-21 09:00,Europe/Berlin,i",
    "2,2026-08-21 09:00,Mars,o",
  ];
  const report = await importFiles({
    store,
    paths: [await writeLines("table.csv", table)],
    format: "csv",
    mappingFile: await writeLines("map.json", [mapping]),
  });
  expect(report.firstRejections).toMatchObject([{ reason: 'datetime: "Mars" is not a time zone' }]);
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([
    { datetime: "2026-08-21 09:00+02:00", call_type: "Inbound" },
  ]);
});

test("a transcript in one line gives a message for each of its speakers", async () => {
  const store = createArchive();
  await importFiles({ store, paths: [join(CASES, "ckm-inline.json")] });
  const chat = await store.calls.chat("c-1", "everything");
  expect(chat.map(({ label, party_type, transcript }) => [label, party_type, transcript])).toEqual([
    ["Agent", "agent", "Thank you for calling."],
    ["Customer", "customer", "Hi, my laptop is slow."],
  ]);
});

async function readUnits() {
  return JSON.parse(await readFile(join(CASES, "units/units.json"), "utf8"));
}

async function bringUnits(mapping: object, allow: readonly Allowance[] = []) {
  const store = createArchive();
  const mappingFile = await writeLines("map.json", [mapping]);
  const paths = [join(CASES, "units/units.csv")];
  return { store, report: await importFiles({ store, paths, format: "csv", mappingFile, allow }) };
}
