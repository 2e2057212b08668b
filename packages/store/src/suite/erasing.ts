// Erasing calls for good: the erased and the remaining records, and that a later import does not restore them (D33).
import { expect, test } from "vitest";
import type { ArchiveItem, CallStore, ErasureFilter } from "../index.ts";
import { readAll } from "./access-log.ts";
import { addRecording, call, fill, message, query, toUser } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const AT = "2025-05-01T10:00:00Z";
const OTHER_DAY = "2025-05-02T10:00:00Z";

const erase = (store: CallStore, filter: ErasureFilter) =>
  store.maintenance.erase(filter, { operator: "olive" });

export function describeErasing(create: CreateStore): void {
  test("calls before a day of the archive's time zone go with their chats; the others stay whole", async () => {
    const store = await create("America/New_York");
    const shared = await addRecording(store, {
      filename: "shared.ulaw",
      content: "shared",
    });
    await fill(store, [
      call({ call_id: "old", datetime: "2025-04-30T23:59:59" }, { recordings: [shared] }),
      call({ call_id: "new", datetime: "2025-05-01T00:00:00" }, { recordings: [shared] }),
      call({ call_id: "utc", datetime: "2025-05-01T03:59:59Z" }), // 30 April in New York
      call({ call_id: "undated" }),
      call({ call_id: "legs", datetime: "2025-04-01T10:00:00", agent: "ann" }),
      call({ call_id: "legs", datetime: "2025-06-01T10:00:00", agent: "bob" }),
      { kind: "chat", record: message("old", "late", "2025-07-01T10:00:00Z") },
      { kind: "chat", record: message("legs", "early", "2025-04-01T10:00:00Z") },
      { kind: "chat", record: message("nobody's", "early", "2025-04-01T10:00:00Z") },
      { kind: "chat", record: message("nobody's", "late", "2025-06-01T10:00:00Z") },
    ]);

    const report = await erase(store, { before: "2025-05-01" });

    expect(report).toEqual({
      calls: 3,
      chats: 2,
      files: 0,
      fileBytes: 0,
      unlinked: [],
      ofNoRecord: [],
      retained: [],
      isComplete: true,
    });
    expect(await listIds(store)).toEqual(["legs", "new"]);
    const texts = async (id: string) =>
      (await store.calls.chat(id, "everything")).map(({ transcript }) => transcript);
    expect(await texts("old")).toEqual([]);
    expect(await texts("legs")).toEqual(["early"]);
    expect(await texts("nobody's")).toEqual(["late"]);
    expect(await store.calls.byCallId("undated", "everything")).toHaveLength(1);
    expect(await store.calls.recordings({ callId: "new" }, "everything")).toHaveLength(1);
    await expectWell(store);
  });

  test("what a reference finds goes with its chats, dated or not, and the log names the calls", async () => {
    const store = await create();
    await fill(store, [
      call({ ref_id: "R" }), // nothing else tells it apart
      call({ call_id: "A", ref_id: "R" }),
      call({ call_id: "B" }, { masterId: "R" }),
      call({ call_id: "B", datetime: "2025-05-01T10:00:00Z" }),
      call({ call_id: "C", ref_id: "another" }, { sessionId: "R" }),
      call({ call_id: "R", datetime: "2025-05-01T10:00:00Z" }),
      ...["A", "B", "R"].map((id) => ({
        kind: "chat" as const,
        record: message(id, `of ${id}`, "2025-05-01T10:00:00Z"),
      })),
    ]);

    expect(await erase(store, { reference: "R" })).toMatchObject({ calls: 4, chats: 1 });

    expect(await listIds(store)).toEqual(["B", "R"]);
    expect(await store.calls.byReference("R", "everything")).toEqual([]);
    const left = await Promise.all(["A", "B", "R"].map((id) => store.calls.chat(id, "everything")));
    expect(left.map((messages) => messages.length)).toEqual([0, 1, 1]);
    const [row] = await readAll(store);
    expect([row?.asked, row?.callIds.toSorted()]).toEqual([{ ref_id: "R" }, ["A", "B", "C"]]);
    await expectWell(store);
  });

  test("calls without a datetime go with their chats and recordings, with an identifier or none, and no others", async () => {
    const store = await create();
    await fill(store, [
      call(
        { agent: "ann" },
        {
          recordings: [
            await addRecording(store, { filename: "nameless.ulaw", content: "nameless" }),
          ],
        },
      ),
      call({ call_id: "undated" }),
      call({ call_id: "dated", datetime: "1969-01-01T00:00:00Z" }),
      { kind: "chat", record: message("undated", "early", "2025-04-01T10:00:00Z") },
      { kind: "chat", record: message("nobody's", "early", "2025-04-01T10:00:00Z") },
    ]);
    const erased = { calls: 2, chats: 1, files: 1 };

    expect(await erase(store, { isUndated: true })).toMatchObject(erased);
    expect(await store.calls.byCallId("undated", "everything")).toEqual([]);
    expect(await store.calls.byCallId("dated", "everything")).toHaveLength(1);
    expect(await store.calls.chat("undated", "everything")).toEqual([]);
    expect(await store.calls.chat("nobody's", "everything")).toHaveLength(1);
    const [told] = await readAll(store);
    expect(told).toMatchObject({ asked: { undated: true }, callIds: [], erased });
    expect(await store.maintenance.planErasure({ isUndated: true })).toMatchObject({ calls: 0 });
    await expectWell(store);
  });

  test("the access log says who took out what, and nothing of its content", async () => {
    const store = await create();
    await fill(store, [call({ call_id: "A", datetime: AT })]);

    await erase(store, { callId: "A" });
    await erase(store, { callId: "A" });

    expect(await readAll(store, { callId: "A" })).toEqual([
      {
        seq: 1,
        hash: expect.any(String),
        timeMs: expect.any(Number),
        operation: "purge",
        operator: "olive",
        asked: { call_id: "A" },
        callIds: ["A"],
        erased: { calls: 1, chats: 0, files: 0, fileBytes: 0 },
      },
    ]);
    expect(await store.accessLog.verify()).toMatchObject({ rows: 1, fault: undefined });
  });

  test("recordings go with the last record that has them, and their bytes with them", async () => {
    const store = await create();
    const recording = await addRecording(store, { filename: "a.wav", content: "sound" });
    const counts = { calls: 1, chats: 0, files: 0, fileBytes: 0 };
    await fill(
      store,
      ["A", "B"].map((call_id) => call({ call_id }, { recordings: [recording] })),
    );

    expect(await erase(store, { callId: "A" })).toMatchObject(counts);
    await (await store.media.open(recording.media)).close();
    expect(await erase(store, { callId: "B" })).toMatchObject({
      ...counts,
      files: 1,
      fileBytes: 5,
    });
    await expect(store.media.open(recording.media)).rejects.toMatchObject({ name: "StoreFault" });
  });

  test("an operator brings back what was erased, and from then on it is a record like any other", async () => {
    const store = await create();
    const row = [
      call({ call_id: "A", datetime: AT }),
      { kind: "chat", record: message("A", "Yes.", AT) },
    ] as const;
    await fill(store, row);
    await erase(store, { callId: "A" });
    expect(await fill(store, row)).toEqual(["erased", "erased"]);
    {
      await using session = await store.openImport({ restoresErased: true });
      expect(await session.write([row])).toEqual(["imported"]);
    }
    expect(await fill(store, row)).toEqual(["unchanged", "unchanged"]);
    expect(await store.importedRows()).toMatchObject({ imported: 3, unchanged: 2, erased: 2 });
  });

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
    const store = await create();
    await fill(store, [erased]);
    await erase(store, { before: "2026-01-01" });
    await erase(store, { isUndated: true });
    expect(await fill(store, [again, other, erased])).toEqual(["erased", "imported", "erased"]);
  });

  test("of a row of several records those stay out that were erased, and the chat of a call with it", async () => {
    const store = await create();
    const leg = (agent: string) => call({ call_id: "A", agent, datetime: AT, ref_id: agent });
    const chat = (text: string) => ({ kind: "chat" as const, record: message("A", text, AT) });
    const user = { kind: "user" as const, record: toUser(1) };
    await fill(store, [leg("ann"), chat("Yes.")]);
    await erase(store, { callId: "A" });

    await using session = await store.openImport();
    const write = (...row: ArchiveItem[]) => session.write([row]);
    expect(await write(leg("ann"), chat("Yes."), chat("No."))).toEqual(["erased"]);
    expect(await write(leg("ann"), user)).toEqual(["imported"]);
    expect(await store.calls.byCallId("A", "everything")).toEqual([]);
    expect(await write(leg("ann"), leg("bob"), chat("Yes."), chat("No."))).toEqual(["imported"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ agent: "bob" }]);
    expect(await store.calls.chat("A", "everything")).toMatchObject([{ transcript: "No." }]);
  });
}

async function listIds(store: CallStore): Promise<string[]> {
  const { records } = await store.calls.search(query({}));
  return records.map(({ call_id }) => call_id ?? "").toSorted((a, b) => a.localeCompare(b));
}

/** But for the disk, of which nobody knows how full it is. */
async function expectWell(store: CallStore): Promise<void> {
  const findings = await store.maintenance.check();
  expect(findings.filter(({ what }) => !what.includes("disk"))).toEqual([]);
}
