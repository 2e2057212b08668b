// What a purge has erased stays out when the same record comes again, and another record does not (D33).
import { expect, test } from "vitest";
import type { ArchiveItem } from "../src/index.ts";
import { createArchive } from "./support/archives.ts";
import { purgeFrom } from "./support/purging.ts";
import { call, fill, message, toUser } from "./support/records.ts";

const AT = "2025-05-01T10:00:00Z";
const OTHER_DAY = "2025-05-02T10:00:00Z";

// The same record by D32, and another one, of a call that was erased.
test.each<[what: string, erased: ArchiveItem, again: ArchiveItem, other: ArchiveItem]>([
  [
    "with other values",
    call({ call_id: "A", agent: "ann", datetime: AT }),
    call({ call_id: "A", agent: "ann", datetime: AT, notes: "corrected" }),
    call({ call_id: "A", agent: "bob", datetime: AT }),
  ],
  [
    "without a call_id",
    call({ agent: "ann", datetime: AT }),
    call({ agent: "ann", datetime: AT, recordings: "a.wav" }),
    call({ agent: "ann", datetime: AT, notes: "another" }),
  ],
  [
    "without a datetime",
    call({ call_id: "A" }),
    call({ call_id: "A", notes: "corrected" }),
    call({ call_id: "A", datetime: AT }),
  ],
  [
    "with the reference that it got later",
    call({ call_id: "A", datetime: AT }),
    call({ call_id: "A", datetime: AT, ref_id: "R" }, { hasLateReference: true }),
    call({ call_id: "A", datetime: AT, ref_id: "R" }),
  ],
  [
    "in a later state of its source",
    call({ call_id: "A", datetime: AT, agent: "ann" }, { revisedMs: 1 }),
    call({ call_id: "A", datetime: OTHER_DAY, agent: "bob" }, { revisedMs: 2 }),
    call({ call_id: "A", datetime: OTHER_DAY, agent: "bob" }),
  ],
  [
    "with the identity that its source declares",
    call({ call_id: "A", datetime: AT, agent: "ann" }, { identity: ["7", "1"] }),
    call({ call_id: "A", datetime: AT, agent: "bob" }, { identity: ["7", "1"] }),
    call({ call_id: "A", datetime: OTHER_DAY }, { identity: ["7", "1"] }),
  ],
])("a record %s is erased before; another one is not", async (_what, erased, again, other) => {
  const { directory, ...store } = await createArchive();
  await fill(store, [erased]);
  await purgeFrom(directory, { before: "2026-01-01" });
  await purgeFrom(directory, { isUndated: true });
  expect(await fill(store, [again, other, erased])).toEqual(["erased", "imported", "erased"]);
});

test("of a row of several records those stay out that were erased, and the chat of a call with it", async () => {
  const { directory, ...store } = await createArchive();
  const leg = (agent: string) => call({ call_id: "A", agent, datetime: AT, ref_id: agent });
  const chat = (text: string) => ({ kind: "chat" as const, record: message("A", text, AT) });
  const user = { kind: "user" as const, record: toUser(1) };
  await fill(store, [leg("ann"), chat("Yes.")]);
  await purgeFrom(directory, { callId: "A" });

  await using session = await store.openImport();
  const write = (...row: ArchiveItem[]) => session.write([row]);
  expect(await write(leg("ann"), chat("Yes."), chat("No."))).toEqual(["erased"]);
  expect(await write(leg("ann"), user)).toEqual(["imported"]);
  expect(await store.calls.byCallId("A", [])).toEqual([]);
  expect(await write(leg("ann"), leg("bob"), chat("Yes."), chat("No."))).toEqual(["imported"]);
  expect(await store.calls.byCallId("A", [])).toMatchObject([{ agent: "bob" }]);
  expect(await store.calls.chat("A", [])).toMatchObject([{ transcript: "No." }]);
});
