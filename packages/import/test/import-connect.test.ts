// Contact records of Amazon Connect: what the service streams is what the archive has, the latest state of each contact.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EXPORT_FORMATS } from "../src/export/index.ts";
import { importFiles } from "../src/index.ts";
import { exportArchive, purge } from "./support/maintenance.ts";
import { createArchive, createArchiveInFolder, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";
import { toWave } from "@call-media/test-setup/sounds";

const ARN = "arn:aws:connect:eu-west-2:123456789012:instance/i";

const CONTACT = {
  AWSContactTraceRecordFormatVersion: "2017-03-10",
  ContactId: "c-2",
  InitialContactId: "c-1",
  PreviousContactId: "c-1",
  InitiationTimestamp: "2026-08-21T09:00:06Z",
  LastUpdateTimestamp: "2026-08-21T09:10:00Z",
  DisconnectTimestamp: "2026-08-21T09:03:00Z",
  Channel: "VOICE",
  InitiationMethod: "TRANSFER",
  DisconnectReason: "CUSTOMER_DISCONNECT",
  CustomerEndpoint: { Address: "+14155550101", Type: "TELEPHONE_NUMBER" },
  SystemEndpoint: { Address: "+18005550100", Type: "TELEPHONE_NUMBER" },
  Queue: { ARN: `${ARN}/queue/q-7`, Name: "Billing" },
  Agent: {
    Username: "ann",
    AgentInteractionDuration: 123,
    CustomerHoldDuration: 7,
    AfterContactWorkDuration: 30,
    RoutingProfile: { ARN: `${ARN}/routing-profile/r-3`, Name: "Second line" },
  },
  Attributes: { order: "4711" },
  Recordings: null,
  Tags: { "aws:connect:instanceId": "i" },
};

const EXPECTED = toRecord({
  call_id: "c-2",
  ref_id: "c-1",
  datetime: "2026-08-21T09:00:06Z",
  ani: "+14155550101",
  dnis: "+18005550100",
  call_type: "TRANSFER",
  media: "VOICE",
  agent: "ann",
  agent_group: "Second line",
  agent_group_id: "r-3",
  skill: "Billing",
  skill_id: "q-7",
  disposition: "CUSTOMER_DISCONNECT",
  talk_time: 123,
  handle_time: 160,
});

test("a contact becomes a call, found with the others of its chain", async () => {
  const store = createArchive();
  const first = { ...CONTACT, ContactId: "c-1", InitialContactId: null };
  const path = await writeLines("contacts.jsonl", [CONTACT, first]);

  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 2, imported: 2 });
  expect(await store.calls.byCallId("c-2", "everything")).toEqual([EXPECTED]);
  const chain = await store.calls.byReference("c-1", "everything");
  expect(new Set(chain.map(({ call_id }) => call_id))).toEqual(new Set(["c-1", "c-2"]));
});

test("the streamed form may have nothing between its records, and attributes go where a mapping says", async () => {
  const store = createArchive();
  const other = { ...CONTACT, ContactId: "c-3" };
  const path = await writeLines("stream", [JSON.stringify(CONTACT) + JSON.stringify(other)]);
  const mappingFile = await writeLines("map.json", [
    { fields: { custom_field_1: "{Attributes.order}" } },
  ]);

  const report = await importFiles({ store, paths: [path], format: "connect", mappingFile });
  expect(report).toMatchObject({ read: 2, imported: 2 });
  expect(await store.calls.byCallId("c-3", "everything")).toEqual([
    { ...EXPECTED, call_id: "c-3", custom_field_1: "4711" },
  ]);
});

test.each<[string, (contact: object) => object]>([
  // The search does not say when a contact was last updated.
  [
    "DescribeContact",
    (contact) => ({
      Contact: { ...contact, LastUpdateTimestamp: "2026-08-21T10:10:00.120000+01:00" },
    }),
  ],
  ["SearchContacts", (contact) => ({ Contacts: [contact], TotalCount: 1 })],
])("the answer of %s is read", async (_, toAnswer) => {
  const store = createArchive();
  const contact = {
    Arn: `${ARN}/contact/c-2`,
    Id: "c-2",
    InitialContactId: "c-1",
    InitiationMethod: "INBOUND",
    InitiationTimestamp: 1_787_302_806.12,
    Channel: "VOICE",
    QueueInfo: { Id: "q-7", EnqueueTimestamp: "2026-08-21T09:01:00Z" },
    AgentInfo: { Id: "a-9" },
    CustomerEndpoint: { Address: "+14155550101" },
  };
  const path = await writeLines("answer.json", [toAnswer(contact)]);

  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 1, imported: 1 });
  const expected = toRecord({
    call_id: "c-2",
    ref_id: "c-1",
    datetime: "2026-08-21T09:00:06.120Z",
    ani: "+14155550101",
    call_type: "INBOUND",
    media: "VOICE",
    agent: "a-9",
    skill_id: "q-7",
  });
  expect(await store.calls.byCallId("c-2", "everything")).toEqual([expected]);
});

test("recordings are found by their path in the bucket or by their name; transcripts and deleted ones are none", async () => {
  const store = createArchive();
  const at = (name: string) => ({ Location: `bucket/connect/x/CallRecordings/${name}` });
  const start = { MediaStreamType: "AUDIO", StartTimestamp: "2026-08-21T09:01:00Z" };
  const contact = {
    ...CONTACT,
    Recording: at("a.wav"),
    Recordings: [{ ...at("a.wav"), ...start }],
  };
  const withoutFiles = {
    ...CONTACT,
    ContactId: "c-3",
    Recordings: [
      at("b.wav"),
      { ...at("chat.json"), MediaStreamType: "CHAT" },
      { ...at("gone.wav"), Status: "DELETED" },
    ],
  };
  const path = await writeLines("contacts.jsonl", [contact, withoutFiles]);
  await writeFile(join(dirname(path), "a.wav"), toWave());

  expect(await importFiles({ store, paths: [path] })).toMatchObject({ imported: 2 });
  expect(await store.calls.recordings({ callId: "c-2" }, "everything")).toMatchObject([
    { filename: "a.wav", startMs: Date.parse("2026-08-21T09:01:00Z") },
  ]);
  const [other] = await store.calls.byCallId("c-3", "everything");
  expect(other?.recordings).toBe("b.wav");
});

test.each([
  [{ InitiationTimestamp: "now" }, 'datetime: "now" is not an ISO 8601 date and time'],
  [{ LastUpdateTimestamp: "then" }, 'revised: "then" is not an ISO 8601 date and time'],
  [{ Recordings: "a" }, "Recordings: must be an array, not a string"],
  [
    { Agent: { AgentInteractionDuration: "long" } },
    expect.stringMatching(/talk_time: "long" is not a duration.*; handle_time: "long" is not/),
  ],
])("%j is rejected", async (change, reason) => {
  const store = createArchive();
  const path = await writeLines("contacts.jsonl", [CONTACT, { ...CONTACT, ...change }]);
  const report = await importFiles({ store, paths: [path] });
  expect(report).toMatchObject({ imported: 1, rejected: 1, firstRejections: [{ reason }] });
});

const EXPORTED = { jsonl: "archive.jsonl", vcon: "vcons.jsonl" };

test.each(["jsonl", "vcon"] as const)(
  "an archive that was written out as %s and read back still knows an earlier state when it sees one",
  async (format) => {
    const [store, again] = [await createArchiveInFolder(), createArchive()];
    const late = await writeLines("late.jsonl", [CONTACT]);
    await importFiles({ store, paths: [late] });
    const to = join(dirname(late), "export");
    await exportArchive({ directory: store.directory, to, format: EXPORT_FORMATS[format] });
    await importFiles({ store: again, paths: [join(to, EXPORTED[format])] });

    const earlier = { ...CONTACT, LastUpdateTimestamp: "2026-08-21T09:09:59Z", Agent: null };
    const path = await writeLines("early.jsonl", [earlier]);
    expect(await importFiles({ store: again, paths: [path] })).toMatchObject({ unchanged: 1 });
    expect(await again.calls.byCallId("c-2", "everything")).toEqual([EXPECTED]);
  },
);

test("a contact that was purged leaves no trace of its states", async () => {
  const store = await createArchiveInFolder();
  await importFiles({ store, paths: [await writeLines("late.jsonl", [CONTACT])] });
  await purge({ directory: store.directory, filter: { callId: "c-2" }, operator: "olive" });
  const earlier = { ...CONTACT, LastUpdateTimestamp: "2026-08-21T09:05:00Z" };
  const paths = [await writeLines("early.jsonl", [earlier])];
  expect(await importFiles({ store, paths })).toMatchObject({ erased: 1, unchanged: 0 });
  expect(await importFiles({ store, paths, restoresErased: true })).toMatchObject({ imported: 1 });
});

const contactArbitrary = fc.record({
  ContactId: fc.constantFrom("a", "b", "c"),
  InitiationTimestamp: fc.constant("2026-08-21T09:00:06Z"),
  // Twelve states at most, so that the same one comes again.
  LastUpdateTimestamp: fc
    .integer({ min: 0, max: 11 })
    .map((minute) => new Date(Date.UTC(2026, 7, 21, 10, minute)).toISOString()),
});

test("whatever order states of contacts come in, in files and in imports, the latest of each is kept", async () => {
  // What a contact says depends on its state alone: it is delivered several times, not made up anew.
  const toContact = (state: { ContactId: string; LastUpdateTimestamp: string }) => ({
    ...CONTACT,
    ...state,
    DisconnectReason: state.LastUpdateTimestamp,
    Agent: { Username: `agent ${state.LastUpdateTimestamp.slice(14, 15)}` },
  });
  const files = fc.array(fc.array(contactArbitrary, { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (written, isOneImport) => {
      const store = createArchive();
      const paths = await Promise.all(
        written.map((states) => writeLines("contacts.jsonl", states.map(toContact))),
      );
      for (const some of isOneImport ? [paths] : paths.map((path) => [path]))
        expect(await importFiles({ store, paths: some })).toMatchObject({ rejected: 0 });
      for (const id of ["a", "b", "c"]) {
        const states = written.flat().filter(({ ContactId }) => ContactId === id);
        const latest = states
          .map((state) => state.LastUpdateTimestamp)
          .toSorted()
          .at(-1);
        const found = await store.calls.byCallId(id, "everything");
        expect(found.map(({ disposition }) => disposition)).toEqual(
          latest === undefined ? [] : [latest],
        );
      }
    }),
    { numRuns: 25 },
  );
});
