// The call log of RingCentral: what it lists is what the archive has.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";
import { toWave } from "@call-media/test-setup/sounds";

const LEG = {
  startTime: "2026-08-21T09:00:06.120Z",
  direction: "Inbound",
  action: "Phone Call",
  result: "Accepted",
  to: { phoneNumber: "+18005550100", name: "Billing" },
  master: true,
};

const RECORD = {
  id: "L-1",
  sessionId: "4711",
  telephonySessionId: "s-4711",
  startTime: "2026-08-21T09:00:06.120Z",
  lastModifiedTime: "2026-08-21T09:05:00.000Z",
  type: "Voice",
  direction: "Inbound",
  action: "Phone Call",
  result: "Accepted",
  duration: 122,
  durationMs: 122_600,
  from: { phoneNumber: "+14155550101", name: "Ann Lee" },
  to: { phoneNumber: "+18005550100" },
  recording: { id: "80011", type: "Automatic" },
  legs: [
    { ...LEG, recording: { id: "80011" } },
    { ...LEG, extension: { id: 61 }, to: { name: "Bob Ray", extensionNumber: "102" } },
    {
      ...LEG,
      result: "Missed",
      extension: { id: 62 },
      to: { name: "Cy Poe", extensionNumber: "103" },
    },
  ],
  billing: { costIncluded: 0 },
};

const EXPECTED = toRecord({
  call_id: "L-1",
  ref_id: "4711",
  datetime: "2026-08-21T09:00:06.120Z",
  ani: "+14155550101",
  dnis: "+18005550100",
  call_type: "Inbound",
  media: "Voice",
  agent: "61",
  agent_name: "Bob Ray",
  disposition: "Accepted",
  talk_time: 123,
  recordings: "80011",
});

test("a record becomes a call of whoever took it, found by either session identifier", async () => {
  const store = createArchive();
  const path = await writeLines("log.json", [{ uri: "/call-log", records: [RECORD], paging: {} }]);

  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 1, imported: 1 });
  for (const reference of ["4711", "s-4711"])
    expect(await store.calls.byReference(reference, "everything")).toEqual([EXPECTED]);
});

test("of an outbound call the agent is who called; without legs the extension of the record tells", async () => {
  const store = createArchive();
  const outbound = {
    ...RECORD,
    direction: "Outbound",
    result: "Call connected",
    reasonDescription: "answered",
    from: { extensionNumber: "102", name: "Bob Ray" },
    to: { phoneNumber: "+14155550101" },
    extension: { id: 61 },
    recording: null,
    durationMs: null,
    legs: null,
  };
  await importFiles({ store, paths: [await writeLines("log.json", [[outbound]])] });
  expect(await store.calls.byCallId("L-1", "everything")).toMatchObject([
    {
      ani: "102",
      dnis: "+14155550101",
      agent: "61",
      agent_name: "Bob Ray",
      disposition_notes: "answered",
      talk_time: 122,
      recordings: null,
    },
  ]);
});

test("a recording is taken from the file of its identifier, once", async () => {
  const store = createArchive();
  const path = await writeLines("log.jsonl", [RECORD]);
  await writeFile(join(dirname(path), "80011.mp3"), toWave());
  await importFiles({ store, paths: [path] });
  expect(await store.calls.recordings({ callId: "L-1" }, "everything")).toMatchObject([
    { filename: "80011.mp3", startMs: Date.parse(RECORD.startTime) },
  ]);
});

test("a record that was modified takes the place of what it was, whichever comes last", async () => {
  const store = createArchive();
  const early = { ...RECORD, result: "In Progress", legs: [], lastModifiedTime: RECORD.startTime };
  for (const record of [early, RECORD, early])
    await importFiles({ store, paths: [await writeLines("log.json", [{ records: [record] }])] });
  expect(await store.calls.byCallId("L-1", "everything")).toEqual([EXPECTED]);
});

test.each([
  [
    { startTime: "noon" },
    'datetime: "noon" is not an ISO 8601 date and time; media[0].start: "noon" is not an ISO 8601 date and time',
  ],
  [{ durationMs: "long" }, 'talk_time: "long" is not a duration: give seconds, MM:SS or HH:MM:SS'],
  [{ legs: {} }, "legs: must be an array, not an object"],
  [{ legs: [7] }, "legs[0]: must be an object, not a number"],
])("%j is rejected", async (change, reason) => {
  const store = createArchive();
  const path = await writeLines("log.json", [{ records: [RECORD, { ...RECORD, ...change }] }]);
  const report = await importFiles({ store, paths: [path] });
  expect(report).toMatchObject({ imported: 1, rejected: 1, firstRejections: [{ reason }] });
});

const text = fc
  .string({ unit: "grapheme", minLength: 1 })
  .map((t) => t.trim())
  .filter((t) => t !== "");
const recordArbitrary = fc.record({
  id: fc.nat().map((n) => `L-${n}`),
  sessionId: fc.nat(),
  startTime: fc
    .date({ min: new Date("2015-01-01"), max: new Date("2026-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  direction: fc.constantFrom("Inbound", "Outbound"),
  result: text,
  durationMs: fc.nat(),
  from: fc.record({ phoneNumber: text, name: text }),
  to: fc.record({ phoneNumber: text, name: text }),
});

test("whatever is listed as RingCentral lists it is what the archive has", async () => {
  const store = createArchive();
  const records = fc.uniqueArray(recordArbitrary, {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(records, async (written) => {
      const path = await writeLines("log.json", [{ records: written }]);
      expect(await importFiles({ store, paths: [path] })).toMatchObject({ rejected: 0 });
      for (const { id, sessionId, startTime, direction, result, durationMs, from, to } of written)
        expect(await store.calls.byCallId(id, "everything")).toContainEqual(
          toRecord({
            call_id: id,
            ref_id: String(sessionId),
            datetime: startTime,
            ani: from.phoneNumber,
            dnis: to.phoneNumber,
            call_type: direction,
            agent_name: direction === "Outbound" ? from.name : to.name,
            disposition: result,
            talk_time: Math.round(durationMs / 1_000),
          }),
        );
    }),
    { numRuns: 25 },
  );
});
