// Records of platforms without the identifier that each of their calls has: nobody would find such a call.
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const TIME = "2025-05-01T10:00:00Z";

test.each<[format: string, records: (all: object[]) => object, good: object, keys: string]>([
  [
    "twilio",
    (calls) => ({ calls }),
    { sid: "A", from: "+1", to: "+2", direction: "inbound", start_time: TIME },
    "sid",
  ],
  [
    "genesys",
    (conversations) => ({ conversations }),
    { conversationId: "A", conversationStart: TIME, participants: [] },
    "conversationId",
  ],
  [
    "ringcentral",
    (records) => ({ records }),
    { id: "A", sessionId: "S", startTime: TIME, direction: "Inbound" },
    "id",
  ],
  [
    "nice-contacts",
    (contacts) => ({ contacts }),
    { contactId: "A", masterContactId: "A", contactStart: TIME },
    "contactId",
  ],
  [
    "connect",
    (contacts) => contacts,
    { ContactId: "A", InitiationTimestamp: TIME, LastUpdateTimestamp: TIME },
    "ContactId or Id",
  ],
])("%s rejects a record without its identifier", async (_, toDocument, good, keys) => {
  const nameless = Object.fromEntries(Object.entries(good).slice(1));
  const store = createArchive();
  const path = await writeLines("a.json", [toDocument([good, nameless, {}])]);

  const report = await importFiles({ store, paths: [path] });

  expect(report).toMatchObject({ read: 3, imported: 1, rejected: 2 });
  const reason = `${keys}: missing`;
  expect(report.firstRejections).toMatchObject([{ reason }, { reason }]);
  expect(await store.calls.byCallId("A", "everything")).toHaveLength(1);
});

test("a recording of Twilio without its identifier is no call either", async () => {
  const store = createArchive();
  const call = { sid: "A", from: "+1", to: "+2", direction: "inbound", start_time: TIME };
  const recordings = [
    { sid: "R", call_sid: "A", source: "OutboundAPI", channels: 1 },
    { call_sid: "A", source: "OutboundAPI", channels: 1 },
  ];
  const paths = [
    await writeLines("calls.json", [{ calls: [call] }]),
    await writeLines("recordings.json", [{ recordings }]),
  ];

  expect(await importFiles({ store, paths })).toMatchObject({
    imported: 1,
    firstRejections: [{ reason: "sid: missing" }],
  });
});
