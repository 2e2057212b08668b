// Contacts of NICE CXone: what its reporting API writes is what the archive has.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";

const CONTACT = {
  contactId: 300001,
  masterContactId: 300000,
  contactStart: "2026-08-21T09:00:06.120Z",
  fromAddr: "+14155550101",
  toAddr: "+18005550100",
  isOutbound: "False",
  agentId: "187",
  firstName: "Ann",
  lastName: "Lee",
  teamId: 12,
  teamName: "Billing",
  campaignId: 7,
  campaignName: "Care",
  skillId: "4",
  skillName: "Invoices",
  mediaTypeName: "Call",
  primaryDispositionId: 3,
  dispositionNotes: "said she would pay",
  agentSeconds: "123.4",
  ACWSeconds: 30,
  totalDurationSeconds: 200,
};

test("a contact becomes a call, found by its own and by its master identifier", async () => {
  const store = createArchive();
  const path = await writeLines("contacts.json", [{ completedContacts: [CONTACT] }]);

  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 1, imported: 1 });
  const expected = toRecord({
    call_id: "300001",
    ref_id: "300000",
    datetime: "2026-08-21T09:00:06.120Z",
    ani: "+14155550101",
    dnis: "+18005550100",
    call_type: "Inbound",
    media: "Call",
    agent: "187",
    agent_name: "Ann Lee",
    agent_group: "Billing",
    agent_group_id: "12",
    campaign: "Care",
    campaign_id: "7",
    skill: "Invoices",
    skill_id: "4",
    disposition_id: "3",
    disposition_notes: "said she would pay",
    talk_time: 123,
    handle_time: 153,
  });
  expect(await store.calls.byCallId("300001", "everything")).toEqual([expected]);
  expect(await store.calls.byReference("300000", "everything")).toEqual([expected]);
});

test("of an outbound contact the customer is who was called", async () => {
  const [call] = await importOne({ ...CONTACT, isOutbound: true });
  expect(call).toMatchObject({ ani: "+18005550100", dnis: "+14155550101", call_type: "Outbound" });
});

test.each([
  [
    { agentSeconds: "soon" },
    'talk_time: "soon" is not a duration: give seconds, MM:SS or HH:MM:SS; handle_time: "soon" is not a duration: give seconds, MM:SS or HH:MM:SS',
  ],
  [{ ACWSeconds: -1 }, 'handle_time: "-1" is not a duration: give seconds, MM:SS or HH:MM:SS'],
  [{ contactStart: "today" }, 'datetime: "today" is not an ISO 8601 date and time'],
])("%j is rejected", async (change, reason) => {
  const store = createArchive();
  const path = await writeLines("contacts.json", [[CONTACT, { ...CONTACT, ...change }]]);
  const report = await importFiles({ store, paths: [path] });
  expect(report).toMatchObject({
    read: 2,
    imported: 1,
    rejected: 1,
    firstRejections: [{ reason }],
  });
});

test("a direction that is neither stays as it is, and is in doubt", async () => {
  const store = createArchive();
  const path = await writeLines("contacts.json", [[{ ...CONTACT, isOutbound: "maybe" }]]);
  const { doubts } = await importFiles({ store, paths: [path] });
  expect(doubts).toMatchObject([{ name: "values", effect: "warn", count: 1 }]);
});

test.each<[string, (contact: object) => readonly (string | object)[]]>([
  [
    "the answer of /contacts/completed",
    (contact) => [{ resultSet: { completedContacts: [contact] } }],
  ],
  ["the answer of /contacts/{id}", (contact) => [{ resultSet: contact }]],
  ["an array", (contact) => [[contact]]],
  ["one a line", (contact) => [contact]],
])("%s is read", async (_, toLines) => {
  const store = createArchive();
  const path = await writeLines("contacts.json", toLines(CONTACT));
  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 1, imported: 1 });
});

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .map((t) => t.trim())
  .filter((t) => t !== "");
const seconds = fc.nat(100_000);
const asTextOrNot = <T extends number | boolean>(value: T) =>
  fc.constantFrom<T | string>(value, String(value));
const contactArbitrary = fc.record({
  contactId: fc.nat().map(String),
  masterContactId: fc.nat(),
  contactStart: fc
    .date({ min: new Date("2015-01-01"), max: new Date("2026-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fromAddr: text,
  toAddr: text,
  isOutbound: fc.boolean().chain(asTextOrNot),
  firstName: text,
  skillName: text,
  dispositionNotes: text,
  agentSeconds: seconds.chain(asTextOrNot),
  ACWSeconds: seconds.chain(asTextOrNot),
});

test("whatever is written as CXone writes it is what the archive has", async () => {
  const store = createArchive();
  const contacts = fc.uniqueArray(contactArbitrary, {
    selector: ({ contactId }) => contactId,
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(contacts, async (written) => {
      const path = await writeLines("contacts.json", [{ completedContacts: written }]);
      const report = await importFiles({ store, paths: [path] });
      expect(report).toMatchObject({ read: written.length, rejected: 0, firstRejections: [] });
      for (const one of written) {
        const isOutbound = String(one.isOutbound) === "true";
        expect(await store.calls.byCallId(one.contactId, "everything")).toContainEqual(
          toRecord({
            call_id: one.contactId,
            ref_id: String(one.masterContactId),
            datetime: one.contactStart,
            ani: isOutbound ? one.toAddr : one.fromAddr,
            dnis: isOutbound ? one.fromAddr : one.toAddr,
            call_type: isOutbound ? "Outbound" : "Inbound",
            agent_name: one.firstName,
            skill: one.skillName,
            disposition_notes: one.dispositionNotes,
            talk_time: Number(one.agentSeconds),
            handle_time: Number(one.agentSeconds) + Number(one.ACWSeconds),
          }),
        );
      }
    }),
    { numRuns: 25 },
  );
});

async function importOne(one: object) {
  const store = createArchive();
  await importFiles({ store, paths: [await writeLines("contacts.jsonl", [one])] });
  return await store.calls.byCallId("300001", "everything");
}
