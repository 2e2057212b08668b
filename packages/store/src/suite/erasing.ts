// Erasing calls permanently: which records are erased and which remain, and that a later import does not bring them back (D33).
import { expect, test } from "vitest";
import type { ArchiveItem, CallStore, ErasureFilter } from "../index.ts";
import { toRowDigest, toTextDigest } from "../values/row-digest.ts";
import { toTombstone } from "../values/tombstones.ts";
import { readAll } from "./access-log.ts";
import { addRecording, call, fill, message, query, toUser } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const AT = "2025-05-01T10:00:00Z";
const OTHER_DAY = "2025-05-02T10:00:00Z";
const CALL = { call_id: "A", ref_id: "R", datetime: AT, agent: "ann" };

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
      calls: 2,
      chats: 2,
      files: 0,
      fileBytes: 0,
      unlinked: [],
      ofNoRecord: [],
      retained: [],
      isComplete: true,
    });
    expect(await listIds(store)).toEqual(["legs", "legs", "new"]);
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
    expect(told).toMatchObject({ asked: { undated: true }, callIds: [], found: erased });
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
        found: { calls: 1, chats: 0, files: 0, fileBytes: 0 },
      },
    ]);
    expect(await store.accessLog.verify()).toMatchObject({ rows: 1, fault: undefined });
  });

  test("a content that no record names is discarded, and no other", async () => {
    const store = await create();
    const kept = await addRecording(store, { filename: "a.wav", content: "kept" });
    const spare = await addRecording(store, { filename: "b.wav", content: "spare" });
    await fill(store, [call({ call_id: "A" }, { recordings: [kept] })]);
    await store.maintenance.discard([kept, spare].map(({ media }) => media.sha256));
    await (await store.media.open(kept.media)).close();
    await expect(store.media.open(spare.media)).rejects.toMatchObject({ reason: "lost" });
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

  // Everything that a later export may say about the call A of 1 May.
  const again = [
    call({ ...CALL, notes: "corrected" }),
    call({ ...CALL, agent: "ann.smith" }),
    call({ ...CALL, ref_id: "another" }, { sessionId: "S" }),
    call({ ...CALL, datetime: "2025-05-01T10:00:00.000Z" }),
    call({ ...CALL, datetime: "2025-05-01 12:00:00+02:00" }),
    call({ ...CALL, datetime: null }),
    call(CALL, { identity: ["1"] }),
    call(CALL, { revisedMs: 7 }),
    { kind: "chat", record: message("A", "No.", AT) },
  ] as const;
  const chat = { kind: "chat", record: message("A", "Yes.", AT) } as const;

  test.each<[filter: ErasureFilter]>([[{ callId: "A" }], [{ reference: "R" }]])(
    "what was erased by %j stays out, whatever is said of it",
    async (filter) => {
      const store = await create();
      await fill(store, [call(CALL), chat]);
      await erase(store, filter);
      const later = call({ ...CALL, datetime: "2025-09-01T10:00:00Z" });
      for (const item of [...again, later, chat])
        expect(await fill(store, [item])).toEqual(["erased"]);
      const other = call({ ...CALL, call_id: "B", ref_id: "S" });
      expect(await fill(store, [other])).toEqual(["imported"]);
      expect(await store.maintenance.planErasure(filter)).toMatchObject({
        taken: {
          timeMs: expect.any(Number),
          asked: "callId" in filter ? { call_id: "A" } : { ref_id: "R" },
        },
      });
      await expectWell(store);
    },
  );

  test("what was erased by age stays out up to the day after, and is found by its names", async () => {
    const store = await create();
    await fill(store, [call(CALL), chat]);
    await erase(store, { before: "2025-05-02" });
    for (const item of [...again, call({ ...CALL, datetime: OTHER_DAY })])
      expect(await fill(store, [item])).toEqual(["erased"]);
    for (const filter of [{ callId: "A" }, { reference: "R" }])
      expect((await store.maintenance.planErasure(filter)).taken).toMatchObject({
        asked: { before: "2025-05-02" },
      });
    const later = call({ ...CALL, datetime: "2025-05-03T00:00:00Z" });
    expect(await fill(store, [later])).toEqual(["imported"]);

    // The later of two marks applies.
    await erase(store, { callId: "A" });
    await fill(store, [call({ call_id: "B", ref_id: "R", datetime: AT })]);
    await erase(store, { before: "2025-06-01" });
    expect(await fill(store, [later, call({ ...CALL, call_id: "B" })])).toEqual([
      "erased",
      "erased",
    ]);
    expect((await store.maintenance.planErasure({ callId: "A" })).taken?.asked).toEqual({
      call_id: "A",
    });
    expect((await store.maintenance.planErasure({ callId: "C" })).taken).toBeUndefined();

    // A call that has only messages.
    await fill(store, [{ kind: "chat", record: message("M", "Yes.", AT) }]);
    await erase(store, { before: "2025-06-02" });
    expect((await store.maintenance.planErasure({ callId: "M" })).taken).toMatchObject({
      asked: { before: "2025-06-02" },
    });
    expect(await fill(store, [call({ ...CALL, call_id: "M" })])).toEqual(["imported"]);
  });

  test("of one leg among several only that stays out; with the last of them the call", async () => {
    const store = await create();
    const first = { ...CALL, ref_id: "first" };
    const legs = [first, { ...CALL, datetime: "2025-06-01T10:00:00Z", agent: "bob" }];
    await fill(
      store,
      legs.map((leg) => call(leg)),
    );
    await erase(store, { reference: "first" });
    const renamed = legs.map((leg) => call({ ...leg, agent: "ann.smith" }));
    const between = call({ ...CALL, datetime: "2025-05-01T11:00:00Z" });
    expect(await fill(store, [...renamed, between])).toEqual(["erased", "replaced", "imported"]);

    await erase(store, { before: "2025-06-02" });
    const states = [...renamed, between, call({ ...CALL, datetime: "2025-06-02T10:00:00Z" })];
    expect(await fill(store, states)).toEqual(states.map(() => "erased"));
  });

  test("what is brought back comes with its other legs alone; a later call of the same id lifts no mark", async () => {
    const store = await create();
    await fill(store, [call(CALL), chat]);
    await erase(store, { before: "2025-05-02" });
    const restore = async (...row: ArchiveItem[]) => {
      await using session = await store.openImport({ restoresErased: true });
      expect((await session.leaveOutErased([chat, call(CALL)])).items).toEqual([]);
      return await session.write([row]);
    };
    const later = call({ ...CALL, datetime: "2025-08-01T10:00:00Z" });
    expect(await restore(later)).toEqual(["imported"]);
    expect(await fill(store, [call(CALL), chat])).toEqual(["erased", "erased"]);
    expect(await restore(call(CALL), chat)).toEqual(["imported"]);
    expect(await fill(store, [call(CALL), chat])).toEqual(["unchanged", "unchanged"]);
  });

  test.each<[what: string, erased: ArchiveItem, again: ArchiveItem, other: ArchiveItem]>([
    [
      "without a call_id",
      call({ agent: "ann", datetime: AT }),
      call({ agent: "ann", datetime: "2025-05-01T12:00:00+02:00", recordings: "a.wav" }),
      call({ agent: "ann", datetime: AT, notes: "another" }),
    ],
    [
      "without a call_id whose fields are written otherwise",
      call({ agent: "ann smith", notes: "", datetime: AT }),
      call({ agent: " ann  smith", notes: " ", campaign: "", datetime: AT }),
      call({ agent: "ann smithson", datetime: AT }),
    ],
    [
      "without a datetime",
      call({ call_id: "A" }),
      call({ call_id: "A", notes: "corrected" }),
      call({ call_id: "A", datetime: AT }),
    ],
    [
      "in a later state of its source",
      call({ call_id: "A", datetime: AT, agent: "ann" }, { revisedMs: 1 }),
      call({ call_id: "A", datetime: "2025-08-01T10:00:00Z", agent: "bob" }, { revisedMs: 2 }),
      call({ call_id: "B", datetime: AT, agent: "ann" }, { revisedMs: 1 }),
    ],
    [
      "of nobody's chat",
      { kind: "chat", record: message("A", "Yes.", AT) },
      { kind: "chat", record: message("A", "Yes.", AT) },
      { kind: "chat", record: message("A", "No.", AT) },
    ],
  ])("a record %s is erased before; another one is not", async (_what, erased, same, other) => {
    const store = await create();
    await fill(store, [erased]);
    await erase(store, { before: "2026-01-01" });
    await erase(store, { isUndated: true });
    expect(await fill(store, [same, other, erased])).toEqual(["erased", "imported", "erased"]);
  });

  test("what an earlier version has erased stays out as it is written", async () => {
    const store = await create();
    const day = Math.floor(Date.parse(AT) / 86_400_000);
    const hex = (values: readonly unknown[]) => Buffer.from(toRowDigest(values)).toString("hex");
    const names = [
      ["call", "A", hex(["R", AT, "ann"]), day],
      ["states", "S"],
      ["chat", Buffer.from(toTextDigest(JSON.stringify(chat.record))).toString("hex")],
    ];
    let key = "";
    for await (const row of store.maintenance.internals.read())
      if (row.kind === "setting" && row.name === "tombstone_key") key = row.value;
    const toMark = (name: (typeof names)[number]) =>
      Buffer.from(toTombstone(key, name)).toString("hex");
    await store.maintenance.internals.write(
      names.map((name) => ({
        kind: "tombstone",
        mark: toMark(name),
        untilDay: null,
        erasure: null,
      })),
    );
    // A log that was restarted has another row with the number of the erasure.
    await store.accessLog.record({ operation: "audit begin-anew", operator: "olive", asked: {} });
    const mark = toMark(["call_id", "N"]);
    await store.maintenance.internals.write([
      { kind: "tombstone", mark, untilDay: null, erasure: 1 },
    ]);
    expect((await store.maintenance.planErasure({ callId: "N" })).taken).toBeUndefined();
    const state = call({ call_id: "S", datetime: OTHER_DAY }, { revisedMs: 2 });
    expect(await fill(store, [call(CALL), state, chat])).toEqual(["erased", "erased", "erased"]);
    expect(await fill(store, [call({ ...CALL, call_id: "B" })])).toEqual(["imported"]);
  });

  test("of a row of several records those stay out that were erased, and the chat of a call with it", async () => {
    const store = await create();
    const leg = (agent: string, datetime = AT) => call({ call_id: "A", agent, datetime });
    const says = (text: string, at = AT) => ({
      kind: "chat" as const,
      record: message("A", text, at),
    });
    const user = { kind: "user" as const, record: toUser(1) };
    await fill(store, [leg("ann"), says("Yes.")]);
    await erase(store, { before: "2025-05-02" });

    await using session = await store.openImport();
    const write = (...row: ArchiveItem[]) => session.write([row]);
    const later = "2025-06-01T10:00:00Z";
    expect(await write(leg("ann"), says("Yes."), says("No.", later))).toEqual(["erased"]);
    expect(await write(leg("ann"), user)).toEqual(["imported"]);
    expect(await store.calls.byCallId("A", "everything")).toEqual([]);
    const row = [leg("ann"), leg("bob", later), says("Yes."), says("No.", later)];
    expect((await session.leaveOutErased(row)).items).toEqual([row[1], row[3]]);
    expect(await write(...row)).toEqual(["imported"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ agent: "bob" }]);
    expect(await store.calls.chat("A", "everything")).toMatchObject([{ transcript: "No." }]);
  });
}

async function listIds(store: CallStore): Promise<string[]> {
  const { records } = await store.calls.search(query({}));
  return records.map(({ call_id }) => call_id ?? "").toSorted((a, b) => a.localeCompare(b));
}

/** Findings about the disk are ignored: nobody knows how full it is. */
async function expectWell(store: CallStore): Promise<void> {
  const findings = await store.maintenance.check();
  expect(findings.filter(({ what }) => !what.includes("disk"))).toEqual([]);
}
