import { expect, test, vi } from "vitest";
import type { AccessEntry, AccessQuery, CallStore, LogRow } from "../index.ts";
import type { CreateStore } from "./stores.ts";

/** A read of one call by user 1, with these fields replaced. */
export function toEntry(fields: Partial<AccessEntry> = {}): AccessEntry {
  return {
    timeMs: 1_000,
    requestId: "request",
    address: "192.0.2.1",
    userId: 1,
    credential: "app_1",
    operation: "getMetadataByCallId",
    asked: { call_id: "A" },
    callIds: ["A"],
    rows: 1,
    status: 200,
    ...fields,
  };
}

export async function readAll(store: CallStore, query: AccessQuery = {}): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for await (const row of store.accessLog.read(query)) rows.push(row);
  return rows;
}

const LISTEN = toEntry({
  operation: "streamRecordingByReference",
  asked: { ref_id: "r", part: 2 },
  callIds: ["A", "B"],
  rows: 0,
  status: 206,
  recording: { sha256: "ab".repeat(32), first: 10, last: 19 },
});
const SEARCH = toEntry({
  timeMs: 2_000,
  userId: 2,
  operation: "searchMetadata",
  asked: { pageIndex: 0, filter: { agent: 'Ann "Ä" \u0000', talk_time: 60 } },
  callIds: [],
  rows: 50,
});
const CUT = { ...LISTEN, timeMs: 3_000, isCut: true as const };

export function describeAccessLog(create: CreateStore): void {
  test("rows come back as they went in, counted from 1, each with a hash", async () => {
    const store = await create();
    for (const entry of [LISTEN, SEARCH, CUT]) await store.accessLog.append(entry, true);

    const rows = await readAll(store);
    expect(rows).toEqual([
      { ...LISTEN, seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { ...SEARCH, seq: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { ...CUT, seq: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(3);
  });

  test("what need not be durable is written soon, in the order it came", async () => {
    const store = await create();
    const ids = Array.from({ length: 50 }, (_, index) => String(index));
    for (const requestId of ids) await store.accessLog.append(toEntry({ requestId }), false);

    await vi.waitFor(async () => expect(await readAll(store)).toHaveLength(50), 20_000);
    expect((await readAll(store)).map(({ requestId }) => requestId)).toEqual(ids);
  });

  test("what is durable takes along what came before it", async () => {
    const store = await create();
    await store.accessLog.append(SEARCH, false);
    await store.accessLog.append(LISTEN, true);

    expect((await readAll(store)).map(({ operation }) => operation)).toEqual([
      "searchMetadata",
      "streamRecordingByReference",
    ]);
  });

  test.each<[what: string, query: AccessQuery, seqs: number[]]>([
    ["everything", {}, [1, 2, 3]],
    ["those since a time, that one included", { sinceMs: 2_000 }, [2, 3]],
    ["those of a user", { userId: 1 }, [1, 3]],
    ["those of a call", { callId: "B" }, [1, 3]],
    ["those that all of it holds for", { sinceMs: 2_000, userId: 1, callId: "B" }, [3]],
    ["nothing of nobody", { userId: 9 }, []],
    ["nothing of no call, though a filter says so", { callId: "agent" }, []],
  ])("lists %s", async (_what, query, seqs) => {
    const store = await create();
    for (const entry of [LISTEN, SEARCH, CUT]) await store.accessLog.append(entry, true);

    expect((await readAll(store, query)).map(({ seq }) => seq)).toEqual(seqs);
  });

  test("lists those of one call alone, newest first, and page by page", async () => {
    const store = await create();
    const ids = ["A", "A", "B", "A", 'A","', "a"];
    for (const id of ids)
      await store.accessLog.append(toEntry({ callIds: [id], asked: { call_id: "A" } }), true);
    await store.accessLog.append(toEntry({ callIds: ["A", "B"] }), true);
    await store.accessLog.append(toEntry({ callIds: [] }), true);
    await store.accessLog.record({
      operation: "hold add",
      operator: "olive",
      asked: { call_id: "B" },
      callIds: ["A"],
    });
    const find = async (query: Partial<Parameters<typeof store.accessLog.ofCall>[0]> = {}) =>
      (await store.accessLog.ofCall({ callId: "A", limit: 50, ...query })).map(({ seq }) => seq);

    expect(await find()).toEqual([9, 4, 2, 1]);
    expect(await find({ limit: 2 })).toEqual([9, 4]);
    expect(await find({ limit: 2, beforeSeq: 4 })).toEqual([2, 1]);
    expect(await find({ beforeSeq: 1 })).toEqual([]);
    expect(await find({ callId: "nobody" })).toEqual([]);
    const [row] = await store.accessLog.ofCall({ callId: "B", limit: 1 });
    expect(row).toEqual((await readAll(store))[2]);
  });

  test.each(['A","', "\u0000", "Ä\\", "[]", "]", "x".repeat(1_024), "日本", ""])(
    "finds the row of the call %j",
    async (callId) => {
      const store = await create();
      const twin = `${callId.slice(0, -1)}!`;
      for (const id of [callId, twin])
        await store.accessLog.append(toEntry({ callIds: [id] }), true);

      const found = await store.accessLog.ofCall({ callId, limit: 50 });
      expect(found.map(({ seq }) => seq)).toEqual([1]);
    },
  );

  test("counts the lists of a time in which a call stood among others", async () => {
    const store = await create();
    const add = (count: number, fields: Partial<AccessEntry>) =>
      Promise.all(
        Array.from({ length: count }, () => store.accessLog.append(toEntry(fields), false)),
      );
    await add(3, { timeMs: 1, callIds: ["A", "B"] });
    await add(1, { timeMs: 2_000, callIds: ["A", "B"] });
    await add(1_500, { timeMs: 3_000, callIds: ["B", "C"], asked: { call_id: "A" } });
    await add(2, { timeMs: 3_000, callIds: ["A"] });
    await add(2, { timeMs: 3_000, callIds: ["B", "A", "C"] });
    await store.accessLog.append(toEntry({ timeMs: 3_000 }), true);

    const find = async (sinceMs: number, limit: number) => {
      const { count, rows } = await store.accessLog.listsOf({ callId: "A", sinceMs, limit });
      return [count, rows.map(({ seq }) => seq)];
    };
    expect(await find(2_000, 2)).toEqual([3, [1_508, 1_507]]);
    expect(await find(2_001, 50)).toEqual([2, [1_508, 1_507]]);
    expect(await find(0, 0)).toEqual([6, []]);
    expect(await find(4_000, 50)).toEqual([0, []]);
    let asked = 0;
    const isGone = () => (asked += 1) > 1;
    await expect(
      store.accessLog.listsOf({ callId: "A", sinceMs: 0, limit: 1, isGone }),
    ).rejects.toThrow("nobody waits");
  });

  test("more rows than fit into a page come back once each", async () => {
    const store = await create();
    const entries = Array.from({ length: 2_500 }, (_, index) => toEntry({ timeMs: index }));
    await Promise.all(entries.map((entry) => store.accessLog.append(entry, false)));
    await store.accessLog.append(LISTEN, true);

    expect((await readAll(store)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 2_501 }, (_, index) => index + 1),
    );
    expect(await readAll(store, { sinceMs: 1_200 })).toHaveLength(1_300);
  });

  test("a log that nobody touched verifies, with the hash of its last row", async () => {
    const store = await create();
    expect(await store.accessLog.verify()).toMatchObject({
      rows: 0,
      fault: undefined,
      decisions: [],
    });
    for (const entry of [LISTEN, SEARCH, CUT]) await store.accessLog.append(entry, true);

    const hashes = (await readAll(store)).map(({ hash }) => hash);
    const sound = { rows: 3, lastHash: hashes[2], fault: undefined, decisions: [] };
    expect(await store.accessLog.verify()).toMatchObject(sound);
    for (const hash of hashes) expect(await store.accessLog.verify(hash)).toMatchObject(sound);
  });

  test("a hash that was noted and is not in the log is a fault", async () => {
    const store = await create();
    await store.accessLog.append(LISTEN, true);

    expect(await store.accessLog.verify("0".repeat(64))).toMatchObject({
      rows: 1,
      fault: "the hash that was noted earlier is no longer in the log",
    });
  });
}
