// Call logs of Five9: what its reports write is what the archive has, a record for each leg.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/index.ts";
import type { CallStore, MetadataRecord } from "@call-media/store";
import { createArchive, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";
import { cellText, toClock, toDatetime, toLines } from "./support/tables.ts";

const CALL_LOG =
  "CALL ID,TIMESTAMP,CAMPAIGN,CALL TYPE,AGENT,AGENT NAME,DISPOSITION,ANI,CUSTOMER NAME,DNIS,CALL TIME,BILL TIME (ROUNDED),COST,IVR TIME,QUEUE WAIT TIME,RING TIME,TALK TIME,HOLD TIME,PARK TIME,AFTER CALL WORK TIME,TRANSFERS,CONFERENCES,HOLDS,ABANDONED,RECORDINGS";
const INBOUND_LOG =
  "CALL ID,DATE,TIMESTAMP,CAMPAIGN,SKILL,AGENT,AGENT NAME,DISPOSITION,ANI,CUSTOMER NAME,DNIS,CALL TIME,BILL TIME (ROUNDED),IVR TIME,IVR PATH,QUEUE WAIT TIME,RING TIME,TALK TIME,HOLD TIME,PARK TIME,AFTER CALL WORK TIME,TRANSFERS,CONFERENCES,HOLDS,ABANDONED,RECORDINGS";

test("a call log: fractions, [None] as no value, [Deleted] as it stands, the legs of a transfer apart", async () => {
  const store = createArchive("America/Los_Angeles");
  const report = await importLog(store, [
    CALL_LOG,
    '300000000000763,"Fri, 21 Aug 2026 09:00:04",Care,Inbound,[None],,Transferred To 3rd Party,7275550107,Ann B. Lee,2395550174,00:03:54,00:03:54,0.0312,00:03:53,00:00:00.000,,,,,,,,,0,09:00:11(3:46)',
    '300000000000763,"Fri, 21 Aug 2026 09:00:12",[Deleted],3rd party transfer,bo@x.test,Bo Diaz - LF,,7275550107,Ann,4075550143,00:03:45,00:03:48,0.0304,,00:00:00.235,00:00:01,00:00:43.500,00:00:00,00:00:00,00:00:10.2,,,,,',
  ]);

  expect(report).toMatchObject({ read: 2, imported: 2 });
  const shared = { call_id: "300000000000763", ani: "7275550107", media: "voice" };
  expect(await store.calls.byCallId("300000000000763", "everything")).toEqual([
    toRecord({
      ...shared,
      datetime: "2026-08-21T09:00:12",
      dnis: "4075550143",
      campaign: "[Deleted]",
      call_type: "3rd party transfer",
      agent: "bo@x.test",
      agent_name: "Bo Diaz - LF",
      talk_time: 44,
      handle_time: 54,
      customer_first_name: "Ann",
    }),
    toRecord({
      ...shared,
      datetime: "2026-08-21T09:00:04",
      dnis: "2395550174",
      campaign: "Care",
      call_type: "Inbound",
      disposition: "Transferred To 3rd Party",
      recordings: "09:00:11(3:46)",
      customer_first_name: "Ann",
      customer_middle_name: "B.",
      customer_last_name: "Lee",
    }),
  ]);
});

test("the inbound log has skill and IVR path; its region's time gets an offset in an archive of another zone", async () => {
  const store = createArchive("Europe/London");
  const line =
    '7,2026/01/21,"Wed, 21 Jan 2026 09:00:06",Care,Billing,ann,Ann Lee,Done,1,,2,00:01:00,00:01:00,00:00:10,"Main > Billing",00:00:05,00:00:02,00:00:40,00:00:00,00:00:00,00:00:20,,,,0,';
  await importLog(store, [INBOUND_LOG, line], { timeZone: "America/Los_Angeles" });
  expect(await store.calls.byCallId("7", "everything")).toMatchObject([
    {
      datetime: "2026-01-21T09:00:06-08:00",
      skill: "Billing",
      ivr_path: "Main > Billing",
      talk_time: 40,
      handle_time: 60,
    },
  ]);
});

test("columns are found by name: in any order, with others beside them, parted by another character", async () => {
  const store = createArchive();
  const report = await importLog(store, [
    "Handle Time;Notes;UNKNOWN;campaign;TIMESTAMP;Call_ID;number1;SESSION ID",
    '00:01:00;called back;x;Care;"Fri, 21 Aug 2026 09:00:06";8;+1 415;s-8',
  ]);
  expect(report).toMatchObject({ imported: 1 });
  expect(await store.calls.byReference("s-8", "everything")).toMatchObject([
    { call_id: "8", handle_time: 60, disposition_notes: "called back", phone_number1: "+1 415" },
  ]);
});

test("columns that no field is for go where a mapping puts them", async () => {
  const store = createArchive();
  const mappingFile = await writeLines("map.json", [
    {
      fields: { custom_field_1: "{COST}", custom_field_2: { from: "{IVR TIME}", as: "duration" } },
    },
  ]);
  const cells = [
    "9",
    '"Fri, 21 Aug 2026 09:00:06"',
    "Care",
    ...Array<string>(9).fill(""),
    "0.02",
    "00:01:05",
    ...Array<string>(11).fill(""),
  ];
  await importLog(store, [CALL_LOG, cells.join(",")], { format: "five9", mappingFile });
  expect(await store.calls.byCallId("9", "everything")).toMatchObject([
    { campaign: "Care", custom_field_1: "0.02", custom_field_2: "65" },
  ]);
});

test.each<[string, string, string]>([
  [
    "TIMESTAMP",
    "2026-08-21 09:00",
    'datetime: "2026-08-21 09:00" is not a date and time of the form',
  ],
  ["TALK TIME", "a minute", 'talk_time: "a minute" is not a duration'],
  ["AFTER CALL WORK TIME", "x", 'handle_time: "x" is not a duration'],
])("%s %j rejects its row", async (column, text, reason) => {
  const store = createArchive();
  const row: Record<string, string> = {
    "CALL ID": "1",
    TIMESTAMP: "Fri, 21 Aug 2026 09:00:06",
    CAMPAIGN: "c",
    "TALK TIME": "00:01:00",
    "AFTER CALL WORK TIME": "",
  };
  const report = await importLog(store, toLines([row, { ...row, [column]: text }]));
  expect(report).toMatchObject({
    read: 2,
    imported: 1,
    firstRejections: [{ line: 3, reason: expect.stringContaining(reason) }],
  });
});

test("a table without the columns of a call log is refused by name", async () => {
  const store = createArchive();
  await expect(importLog(store, ["CALL ID,CAMPAIGN", "1,c"], { format: "five9" })).rejects.toThrow(
    "is not of the format Five9 call log: its header has no TIMESTAMP; it has CALL ID, CAMPAIGN",
  );
});

const text = cellText.filter((one) => one !== "[None]");
const optional = fc.option(text, { nil: undefined });
const seconds = fc.option(fc.nat(86_400), { nil: undefined });
const leg = fc.record({
  call_id: fc.nat().map(String),
  atMs: fc
    // Calls of the future are a doubt, which stops.
    .integer({ min: Date.UTC(2015, 0), max: Date.UTC(2026, 0) })
    .map((ms) => ms - (ms % 1_000)),
  campaign: optional,
  skill: optional,
  agent: optional,
  agent_name: optional,
  call_type: optional,
  disposition: optional,
  ani: optional,
  dnis: optional,
  ivr_path: optional,
  talk: seconds,
  work: seconds,
});
type Leg = typeof leg extends fc.Arbitrary<infer T> ? T : never;

test("whatever is written as Five9 writes it is what the archive has", async () => {
  const store = createArchive();
  const legs = fc.uniqueArray(leg, {
    selector: ({ call_id }) => call_id,
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(legs, fc.boolean(), async (written, isReversed) => {
      const rows = written.map(toFive9);
      const report = await importLog(store, toLines(isReversed ? rows.map(reverse) : rows));
      expect(report).toMatchObject({ read: written.length, rejected: 0 });
      for (const one of written)
        expect(await store.calls.byCallId(one.call_id, "everything")).toContainEqual(
          toExpected(one),
        );
    }),
    { numRuns: 25 },
  );
});

function toFive9({ atMs, talk, work, ...fields }: Leg): Record<string, string> {
  const toText = (value: string | undefined) => value ?? "[None]";
  return {
    "CALL ID": fields.call_id,
    TIMESTAMP: new Date(atMs).toUTCString().replace(" GMT", ""),
    CAMPAIGN: toText(fields.campaign),
    SKILL: toText(fields.skill),
    AGENT: toText(fields.agent),
    "AGENT NAME": fields.agent_name ?? "",
    "CALL TYPE": fields.call_type ?? "",
    DISPOSITION: fields.disposition ?? "",
    ANI: fields.ani ?? "",
    DNIS: fields.dnis ?? "",
    "IVR PATH": fields.ivr_path ?? "",
    "TALK TIME": toClock(talk),
    "AFTER CALL WORK TIME": toClock(work),
  };
}

function toExpected({ atMs, talk, work, ...fields }: Leg): MetadataRecord {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return toRecord({
    ...Object.fromEntries(given),
    datetime: toDatetime(atMs),
    media: "voice",
    ...(talk === undefined ? {} : { talk_time: talk, handle_time: talk + (work ?? 0) }),
  });
}

function reverse(row: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).toReversed());
}

async function importLog(
  store: CallStore,
  lines: readonly string[],
  options: Partial<ImportOptions> = {},
) {
  return await importFiles({ store, paths: [await writeLines("log.csv", lines)], ...options });
}
