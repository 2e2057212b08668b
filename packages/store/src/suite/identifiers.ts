import { expect, test } from "vitest";
import { call, fill, fillRows, query, toUser } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const DATETIMES = [
  null,
  "1850-01-01T00:00:00Z",
  "1969-12-31T23:59:59.999Z",
  "2026-11-22T03:00:00Z",
];

export function describeIdentifiers(create: CreateStore): void {
  test("every call with that call_id is found, newest first, and no other", async () => {
    const store = await create();
    const legs = ["2025-05-01T10:00:00Z", "2025-05-01T12:00:00Z", "2025-05-01T11:00:00Z"];
    await fill(store, [
      ...legs.map((datetime) => call({ call_id: "A", datetime })),
      call({ call_id: "a" }),
    ]);

    const found = await store.calls.byCallId("A", "everything");

    expect(found.map(({ datetime }) => datetime)).toEqual([legs[1], legs[2], legs[0]]);
    expect(await store.calls.byCallId("B", "everything")).toEqual([]);
  });

  test("a record comes back with every field as it was imported, in the order of the contract (D27)", async () => {
    const store = await create();
    const { record } = call({
      call_id: "A",
      talk_time: 0,
      notes: " as\nit came 🎧 ",
      datetime: "2025-05-01 10:00",
    });
    await fill(store, [{ kind: "call", record, recordings: [] }]);

    const [found] = await store.calls.byCallId("A", "everything");

    expect(JSON.stringify(found)).toBe(JSON.stringify(record));
  });

  test("a reference is a ref_id, a session or a master identifier", async () => {
    const store = await create();
    await fill(store, [
      call({ call_id: "1", ref_id: "R", datetime: "2025-05-01T10:00:00Z" }),
      call({ call_id: "2", datetime: "2025-05-01T11:00:00Z" }, { sessionId: "R" }),
      call({ call_id: "3", datetime: "2025-05-01T12:00:00Z" }, { masterId: "R" }),
      call({ call_id: "R", ref_id: "r", datetime: "2025-05-01T13:00:00Z" }, { sessionId: "S" }),
    ]);

    const found = await store.calls.byReference("R", "everything");

    expect(found.map(({ call_id }) => call_id)).toEqual(["3", "2", "1"]);
    expect(await store.calls.byReference("", "everything")).toEqual([]);
  });

  test("calls without a datetime are found by identifier, in import order, and in no date range (D09)", async () => {
    const store = await create();
    await fill(store, [
      call({ call_id: "A", ref_id: "first", agent: "ann" }),
      call({ call_id: "A", ref_id: "second", agent: "ann" }, { identity: ["2"] }),
      call({ call_id: "A", ref_id: "dated", agent: "ann", datetime: "1900-01-01T00:00:00Z" }),
    ]);

    const found = await store.calls.byCallId("A", "everything");
    const always = { startDate: "0001-01-01", endDate: "9999-12-31" };

    expect(found.map(({ ref_id }) => ref_id)).toEqual(["dated", "first", "second"]);
    for (const filter of [{}, { agent: "ann" }]) {
      const { records, recordCount } = await store.calls.search(query({ ...always, filter }));
      expect(records.map(({ ref_id }) => ref_id)).toEqual(["dated"]);
      expect(recordCount).toBe(1);
    }
  });

  test("calls of all times are found by each of their references, the newest first", async () => {
    const store = await create();
    const calls = DATETIMES.map((datetime, index) =>
      call(
        { call_id: `c${index}`, ref_id: "r", datetime },
        { sessionId: "s", masterId: `m${index}` },
      ),
    );
    await fill(store, calls);

    const ids = async (name: string) =>
      (await store.calls.byReference(name, "everything")).map(({ call_id }) => call_id);
    expect(await ids("r")).toEqual(["c3", "c2", "c1", "c0"]);
    expect(await ids("s")).toEqual(["c3", "c2", "c1", "c0"]);
    for (const index of DATETIMES.keys()) expect(await ids(`m${index}`)).toEqual([`c${index}`]);
  });

  test("the first call of a time is found when another one was undone before it", async () => {
    const store = await create();
    const first = call({ call_id: "c1", ref_id: "r", datetime: "2026-11-22T03:00:00Z" });
    const other = call({ call_id: "c2", ref_id: "r", datetime: "2026-11-22T04:00:00Z" });
    const users = [1, 2].map((id) => ({
      kind: "user" as const,
      record: toUser(id, { username: "ann" }),
    }));

    const outcomes = await fillRows(store, [[first, ...users], [other]]);
    expect(outcomes).toMatchObject([{ rejected: expect.stringMatching("username") }, "imported"]);
    expect(await store.calls.byReference("r", "everything")).toMatchObject([{ call_id: "c2" }]);
  });
}
