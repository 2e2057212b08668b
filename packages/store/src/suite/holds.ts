// Holds: what they keep from purges and replacement, and that they are not visible to users (D43).
import { expect, test } from "vitest";
import { add, AT, erase, expectWell, isThere, release } from "./holding.ts";
import { addRecording, call, fill, message, query } from "./records.ts";
import type { CreateStore } from "./stores.ts";

export function describeHolds(create: CreateStore): void {
  test("a held call stays whole when it is purged, and goes by what it is owed after the release", async () => {
    const store = await create();
    const recording = await addRecording(store, { filename: "a.wav", content: "a" });
    await fill(store, [
      call({ call_id: "A", datetime: AT, ref_id: "R" }, { recordings: [recording] }),
      call({ call_id: "B", datetime: AT, ref_id: "R" }),
      { kind: "chat", record: message("A", "said", AT) },
    ]);
    expect(await add(store, "smith", { callIds: ["A", "unknown"] })).toMatchObject({
      name: "smith",
      reason: "reason of smith",
      query: undefined,
      missing: ["unknown"],
      erased: [],
      pinned: ["A", "unknown"],
      owed: [],
      added: { operation: "hold add", operator: "olive", run: "r" },
      calls: 1,
    });

    const held = { calls: 1, holds: ["smith"], isOwed: true };
    expect(await store.maintenance.planErasure({ callId: "A" })).toMatchObject({ calls: 0, held });
    const nothing = { calls: 0, chats: 0, files: 0, held };
    expect(await erase(store, { callId: "A" })).toMatchObject(nothing);
    expect(await erase(store, { reference: "R" })).toMatchObject({ calls: 1, chats: 0, held });
    expect(await erase(store, { before: "2025-06-01" })).toMatchObject({
      ...nothing,
      held: { ...held, isOwed: false },
    });
    expect(await erase(store, { isOwed: true })).toMatchObject(nothing);
    expect(await store.maintenance.holds.list()).toMatchObject([
      { name: "smith", pinned: ["A", "unknown"], owed: [{ callId: "A", reason: null }] },
    ]);
    expect(await store.calls.chat("A", "everything")).toHaveLength(1);
    expect(await store.calls.recordings({ callId: "A" }, "everything")).toHaveLength(1);

    expect(await release(store, "smith")).toBe(1);
    expect(await release(store, "smith")).toBeUndefined();
    const report = await erase(store, { isOwed: true });
    expect(report).toMatchObject({ calls: 1, chats: 1, files: 1 });
    expect(report.held).toBeUndefined();
    expect(await isThere(store, "A")).toBe(false);
    expect(await fill(store, [call({ call_id: "A", datetime: AT })])).toEqual(["erased"]);
    const asked = { owed: true };
    expect(await add(store, "again", { callIds: ["A", "unknown"] })).toMatchObject({
      calls: 0,
      missing: ["A", "unknown"],
      erased: [{ callId: "A", taken: { timeMs: expect.any(Number), asked } }],
      owed: [],
    });
    expect(await release(store, "again")).toBe(0);
    await expectWell(store);
  });

  test("a query holds what comes later, each leg of a call, and what its words are said in", async () => {
    const store = await create();
    await fill(store, [
      call({ call_id: "A", datetime: AT, campaign: " complaints" }),
      call({ call_id: "A", datetime: "2025-05-02T10:00:00Z" }),
      call({ call_id: "B", datetime: AT }),
      call({ datetime: AT, campaign: "Complaints" }),
      { kind: "chat", record: message("B", "this is John Smith", AT) },
      { kind: "chat", record: message("nobody's", "John Smith again", AT) },
    ]);
    expect(await add(store, "complaints", { where: { campaign: ["Complaints"] } })).toMatchObject({
      calls: 2,
    });
    const words = { words: '"john smith"', fromDay: "2025-05-01", toDay: "2025-05-01" };
    expect(await add(store, "smith", words)).toMatchObject({ calls: 2, query: words });
    await fill(store, [call({ call_id: "C", datetime: AT, notes: "John Smith called" })]);

    expect(await erase(store, { before: "2025-06-01" })).toMatchObject({
      calls: 0,
      chats: 0,
      held: { calls: 5, holds: ["complaints", "smith"], isOwed: false },
    });
    const listed = await store.maintenance.holds.list();
    expect(listed.map(({ name, calls }) => [name, calls])).toEqual([
      ["complaints", 2],
      ["smith", 3],
    ]);
    await release(store, "smith");
    expect(await erase(store, { before: "2025-06-01" })).toMatchObject({ calls: 2, chats: 2 });
    expect(await isThere(store, "A")).toBe(true);
    await expectWell(store);
  });

  test("a call that a correction no longer lets fit stays held, whichever came first", async () => {
    const store = await create();
    const toCall = (call_id: string, campaign: string) => call({ call_id, datetime: AT, campaign });
    await fill(store, [toCall("before", "x"), toCall("after", "x"), toCall("never", "y")]);
    await fill(store, [toCall("before", "z")]);
    expect(await add(store, "x", { where: { campaign: ["x"] } })).toMatchObject({ calls: 2 });
    await fill(store, [toCall("after", "z"), toCall("never", "z")]);

    expect(await erase(store, { before: "2025-06-01" })).toMatchObject({
      calls: 1,
      held: { calls: 2, holds: ["x"] },
    });
    expect(await store.maintenance.history({ callId: "after" })).toHaveLength(2);
    await release(store, "x");
    expect(await erase(store, { before: "2025-06-01" })).toMatchObject({ calls: 2 });
  });

  test("a name is given once, a query that cannot be read is refused, and neither leaves anything", async () => {
    const store = await create();
    await add(store, "smith", { callIds: ["A"] });
    await expect(add(store, "smith", { callIds: ["B"] })).rejects.toThrow("a hold smith already");
    await expect(add(store, "words", { words: "*" })).rejects.toThrow("words: ");
    await expect(add(store, "days", { fromDay: "2025-02-30" })).rejects.toThrow("from: ");
    expect(await store.maintenance.holds.list()).toMatchObject([{ name: "smith", calls: 0 }]);
  });

  test("nobody who asks can tell a held call from another", async () => {
    const store = await create();
    await fill(store, [call({ call_id: "A", datetime: AT, campaign: "x" })]);
    const ask = async () => [
      await store.calls.byCallId("A", "everything"),
      await store.calls.search(query({})),
      await store.calls.chat("A", "everything"),
    ];
    const before = await ask();
    await add(store, "x", { where: { campaign: ["x"] } });
    await erase(store, { callId: "A" });
    expect(await ask()).toEqual(before);
  });

  test("several calls go by their call_ids at once", async () => {
    const store = await create();
    await fill(store, [
      ...["A", "B", "C"].map((call_id) => call({ call_id, datetime: AT })),
      { kind: "chat", record: message("D", "alone", AT) },
    ]);
    const callIds = ["A", "C", "D", "A", "none"];
    expect(await store.maintenance.planErasure({ callIds })).toMatchObject({ unknown: ["none"] });
    const unknown = ["none"];
    expect(await erase(store, { callIds })).toMatchObject({ calls: 2, chats: 1, unknown });
    expect(await erase(store, { callIds })).toMatchObject({ calls: 0, chats: 0, unknown });
    expect(await isThere(store, "B")).toBe(true);
    const later = ["A", "C"].map((call_id) => call({ call_id, datetime: "2030-01-01T10:00:00Z" }));
    expect(await fill(store, later)).toEqual(["erased", "erased"]);
  });
}
