// What a purge has named while it was held: after the release, --owed erases exactly that (D43).
import { expect, test } from "vitest";
import type { CallStore, DueCalls, ErasureFilter, InternalRow } from "../index.ts";
import { add, AT, erase, expectWell, isThere, release } from "./holding.ts";
import { call, fill, message } from "./records.ts";
import type { CreateStore } from "./stores.ts";

async function listOwed(store: CallStore): Promise<readonly InternalRow[]> {
  const found: InternalRow[] = [];
  for await (const row of store.maintenance.internals.read())
    if (row.kind.startsWith("owed")) found.push(row);
  return found;
}

/** As earlier versions left it: their purges by age paid nothing. */
const oweAbsent = ({ maintenance }: CallStore, reason?: string) =>
  maintenance.internals.write([
    { kind: "owed", callId: "A", ...(reason !== undefined && { reason }) },
  ]);

const DUE: DueCalls = {
  day: "2026-01-01",
  untilMs: Date.UTC(2026, 0, 1),
  messagesUntilMs: -Infinity,
  isDue: () => true,
};

export function describeOwed(create: CreateStore): void {
  test("of a call whose records have several references the one that was named goes, and the others stay", async () => {
    const store = await create();
    const toLeg = (ref_id: string) =>
      call({ call_id: "A", datetime: AT, ref_id }, { identity: [ref_id] });
    const said = { kind: "chat" as const, record: message("A", "said", AT) };
    await fill(store, [toLeg("R1"), toLeg("R2"), said]);
    await add(store, "smith", { callIds: ["A"] });
    expect(await erase(store, { reference: "R1" })).toMatchObject({
      calls: 0,
      held: { calls: 1, holds: ["smith"], isOwed: true },
    });
    expect((await store.vitals()).owed).toBe(1);
    expect(await listOwed(store)).toEqual([{ kind: "owed_reference", reference: "R1" }]);

    expect(await release(store, "smith")).toBe(1);
    expect(await erase(store, { isOwed: true })).toMatchObject({ calls: 1, chats: 0 });
    expect(await listOwed(store)).toEqual([]);
    const left = await store.calls.byCallId("A", "everything");
    expect(left.map(({ ref_id }) => ref_id)).toEqual(["R2"]);
    expect(await store.calls.chat("A", "everything")).toHaveLength(1);
    expect(await fill(store, [toLeg("R1"), toLeg("R2")])).toEqual(["erased", "unchanged"]);
    await expectWell(store);
  });

  test("a record without a call_id is owed by its reference, and what is held still stays owed", async () => {
    const store = await create();
    await fill(store, [
      call({ datetime: AT, ref_id: "R9", agent: "ann" }),
      call({ call_id: "B", datetime: AT, ref_id: "R9" }),
    ]);
    await add(store, "ann", { where: { agent: ["ann"] } });
    await add(store, "b", { callIds: ["B"] });
    const held = { calls: 2, holds: ["ann", "b"], isOwed: true };
    expect(await erase(store, { reference: "R9" })).toMatchObject({ calls: 0, held });

    expect(await release(store, "ann")).toBe(1);
    const stillHeld = { calls: 1, holds: ["b"], isOwed: true };
    expect(await erase(store, { isOwed: true })).toMatchObject({ calls: 1, held: stillHeld });
    expect(await release(store, "b")).toBe(1);
    expect(await erase(store, { isOwed: true })).toMatchObject({ calls: 1 });
    expect(await isThere(store, "B")).toBe(false);
    expect(await listOwed(store)).toEqual([]);
    await expectWell(store);
  });

  test("what is owed goes with the case of the purge that named it", async () => {
    const store = await create();
    await fill(store, [call({ call_id: "A", datetime: AT }), call({ call_id: "B", datetime: AT })]);
    await add(store, "smith", { callIds: ["A", "B"] });
    const by = { operator: "olive" };
    for (const [callId, ofCase] of [
      ["A", "GDPR-1"],
      ["B", "Ä\u0000"],
      ["B", "too late"],
    ] as const)
      await store.maintenance.erase({ callId }, { ...by, case: ofCase });
    expect(await listOwed(store)).toEqual([
      { kind: "owed", callId: "A", reason: "GDPR-1" },
      { kind: "owed", callId: "B", reason: "Ä\u0000" },
    ]);
    await release(store, "smith");
    await store.maintenance.erase({ isOwed: true }, by);
    const { taken } = await store.maintenance.planErasure({ callId: "B" });
    expect(taken?.asked).toEqual({ owed: true, case: "GDPR-1, Ä\u0000" });
  });

  test.each<readonly [what: string, filter: ErasureFilter, asked: object]>([
    ["by age", { before: "2026-01-01" }, { before: "2026-01-01" }],
    ["by the policy", { due: DUE }, { retention: "2026-01-01" }],
    ["by call_ids", { callIds: ["A", "R"] }, { call_ids: 2 }],
  ])("a purge %s pays what is owed, once", async (_what, filter, asked) => {
    const store = await create();
    const toLeg = (ref_id: string, datetime = AT) =>
      call({ call_id: "R", datetime, ref_id }, { identity: [ref_id] });
    const toCall = (datetime: string) => call({ call_id: "A", datetime });
    await fill(store, [toCall(AT), toLeg("R1"), toLeg("R2"), call({ call_id: "B", datetime: AT })]);
    await add(store, "smith", { callIds: ["A", "R"] });
    const by = { operator: "olive" };
    await store.maintenance.erase({ callId: "A" }, { ...by, case: "GDPR-1" });
    await store.maintenance.erase({ reference: "R1" }, { ...by, case: "GDPR-2" });
    const named = "callIds" in filter;
    await store.maintenance.erase(filter, { ...by, case: "night" });
    const stillOwed = [
      { kind: "owed", callId: "A", reason: "GDPR-1" },
      ...(named ? [{ kind: "owed", callId: "R", reason: "night" }] : []),
      { kind: "owed_reference", reference: "R1", reason: "GDPR-2" },
    ];
    expect(await listOwed(store), "held").toEqual(stillOwed);

    await release(store, "smith");
    expect(await store.maintenance.erase(filter, { ...by, case: "night" })).toMatchObject({
      calls: 3,
    });
    expect(await listOwed(store)).toEqual([]);
    expect((await store.vitals()).owed).toBe(0);
    expect(await store.maintenance.planErasure({ isOwed: true })).toMatchObject({ calls: 0 });
    for (const one of [{ callId: "A" }, { reference: "R1" }]) {
      const { taken } = await store.maintenance.planErasure(one);
      expect(taken?.asked).toEqual({ ...asked, case: "night, GDPR-1, GDPR-2" });
    }
    // For ever: the call that was named, and the record with the reference. The other one, if it is erased by age, up to the day after.
    const later = "2026-05-01T10:00:00Z";
    const rows = [toCall(later), toLeg("R1", later), toLeg("R2", later)];
    const kept = named ? "erased" : "imported";
    expect(await fill(store, rows)).toEqual(["erased", "erased", kept]);
    await expectWell(store);
  });

  test("a purge of records without a datetime pays what is owed when the last of them goes", async () => {
    const store = await create();
    const toLeg = (leg: string, datetime: string | null) =>
      call({ call_id: "A", datetime }, { identity: [leg] });
    await fill(store, [toLeg("1", null), toLeg("2", AT)]);
    await add(store, "smith", { callIds: ["A"] });
    await store.maintenance.erase({ callId: "A" }, { operator: "olive", case: "GDPR-1" });
    await release(store, "smith");
    expect(await erase(store, { isUndated: true })).toMatchObject({ calls: 1 });
    expect(await listOwed(store)).toEqual([{ kind: "owed", callId: "A", reason: "GDPR-1" }]);
    expect(await erase(store, { before: "2026-01-01" })).toMatchObject({ calls: 1 });
    expect(await listOwed(store)).toEqual([]);
    expect(await fill(store, [toLeg("3", "2026-05-01T10:00:00Z")])).toEqual(["erased"]);
    await expectWell(store);
  });

  test("a purge by age pays what is owed of a call of messages alone when the last of them goes", async () => {
    const store = await create();
    const toMessage = (text: string, at: string) => ({
      kind: "chat" as const,
      record: message("A", text, at),
    });
    await fill(store, [toMessage("one", AT), toMessage("two", "2026-02-01T10:00:00Z")]);
    await add(store, "smith", { callIds: ["A"] });
    await erase(store, { callId: "A" });
    await release(store, "smith");
    expect(await erase(store, { before: "2026-01-01" })).toMatchObject({ chats: 1 });
    expect(await listOwed(store)).toEqual([{ kind: "owed", callId: "A" }]);
    expect(await erase(store, { before: "2026-03-01" })).toMatchObject({ chats: 1 });
    expect(await listOwed(store)).toEqual([]);
    const later = call({ call_id: "A", datetime: "2026-05-01T10:00:00Z" });
    expect(await fill(store, [later])).toEqual(["erased"]);
    await expectWell(store);
  });

  test("a purge that pays what is owed of messages names its case, and one that pays nothing does not", async () => {
    const store = await create();
    const row = { kind: "chat" as const, record: message("A", "one", AT) };
    await fill(store, [row, call({ call_id: "B", datetime: "2026-02-01T10:00:00Z" })]);
    await add(store, "smith", { callIds: ["A"] });
    const by = { operator: "olive" };
    await store.maintenance.erase({ callId: "A" }, { ...by, case: "GDPR-1" });
    await release(store, "smith");
    await store.maintenance.erase({ before: "2026-01-01" }, { ...by, case: "night" });
    const { taken } = await store.maintenance.planErasure({ callId: "A" });
    expect(taken?.asked).toEqual({ before: "2026-01-01", case: "night, GDPR-1" });
    await oweAbsent(store, "GDPR-2");
    await store.maintenance.erase({ callIds: ["A", "B"] }, { ...by, case: "person" });
    const found = await store.maintenance.planErasure({ callId: "B" });
    expect(found.taken?.asked).toEqual({ call_ids: 2, case: "person" });
  });

  test("an owed call that is not there any more was removed by the erasure that did it, whatever --owed erases later", async () => {
    const store = await create();
    await fill(store, [call({ call_id: "A", datetime: AT }), call({ call_id: "B", datetime: AT })]);
    await erase(store, { before: "2026-01-01" });
    await oweAbsent(store);
    await fill(store, [call({ call_id: "C", datetime: AT })]);
    const findRun = async () => {
      const { taken } = await store.maintenance.planErasure({ callId: "A" });
      return taken?.asked;
    };
    expect(await findRun()).toEqual({ before: "2026-01-01" });
    await erase(store, { isOwed: true });
    expect(await findRun()).toEqual({ before: "2026-01-01" });
    // For ever, since a purge has named it.
    const later = call({ call_id: "A", datetime: "2026-05-01T10:00:00Z" });
    expect(await fill(store, [later])).toEqual(["erased"]);
    await expectWell(store);
  });

  test("an owed call that is not there any more is let in again while a hold waits for it", async () => {
    const store = await create();
    await fill(store, [call({ call_id: "A", datetime: AT })]);
    await erase(store, { before: "2026-01-01" });
    await oweAbsent(store);
    await add(store, "acme", { callIds: ["A"] });
    await erase(store, { isOwed: true });
    // By age it stays out up to the day after.
    const later = call({ call_id: "A", datetime: "2026-05-01T10:00:00Z" });
    expect(await fill(store, [later])).toEqual(["imported"]);
    expect(await erase(store, { callId: "A" })).toMatchObject({ calls: 0, held: { calls: 1 } });
  });

  test("the archive remembers when a command last ended well", async () => {
    const store = await create();
    expect((await store.vitals()).noted).toEqual({});
    const begun = Date.now();
    await store.maintenance.noteDone("import");
    await store.maintenance.noteDone("verify", 3);
    await store.maintenance.noteDone("verify", 2);
    expect((await store.vitals()).noted).toEqual({
      import: { atMs: expect.any(Number), count: 0 },
      verify: { atMs: expect.any(Number), count: 2 },
    });
    expect((await store.vitals()).noted.import?.atMs).toBeGreaterThanOrEqual(begun);
    await expectWell(store);
  });
}
