// Calls whose source says when it last changed them: several states of one call, in any order.
import { expect, test } from "vitest";
import { call, fill, fillRows, query } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const DATETIME = "2025-05-01T10:00:00Z";

/** A record of the call A in the state of that time. */
const state = (revisedMs: number, fields: { agent?: string; disposition?: string } = {}) =>
  call({ call_id: "A", datetime: DATETIME, ...fields }, { revisedMs });

export function describeRevisions(create: CreateStore): void {
  test("a later state of a call takes the place of all its records, in every index", async () => {
    const store = await create();
    const second = { ...state(1, { agent: "bob" }), identity: ["2"] };
    await fillRows(store, [[state(1, { agent: "ann" }), second]]);
    expect(await store.calls.byCallId("A", "everything")).toHaveLength(2);

    expect(await fill(store, [state(2, { agent: "cy" })])).toEqual(["replaced"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ agent: "cy" }]);
    const count = async (agent: string) =>
      (await store.calls.search(query({ filter: { agent } }))).recordCount;
    expect([await count("ann"), await count("bob"), await count("cy")]).toEqual([0, 0, 1]);
  });

  test("states that come in one run leave the latest alone in every index", async () => {
    const store = await create();
    const later = call(
      { call_id: "A", datetime: "2025-05-02T10:00:00Z", agent: "cy" },
      { revisedMs: 3 },
    );
    await fill(store, [state(1, { agent: "ann" }), state(2, { agent: "bob" }), later]);
    const { records, recordCount } = await store.calls.search(query({}));
    expect([records, recordCount]).toEqual([[later.record], 1]);
    for (const agent of ["ann", "bob"])
      expect((await store.calls.search(query({ filter: { agent } }))).recordCount).toBe(0);
  });

  test("an earlier state changes nothing, in the same run or in another", async () => {
    const store = await create();
    const [late, early] = [state(2, { disposition: "closed" }), state(1, { agent: "ann" })];
    expect(await fill(store, [late, early])).toEqual(["imported", "unchanged"]);
    expect(await fill(store, [early])).toEqual(["unchanged"]);
    expect(await fill(store, [late])).toEqual(["unchanged"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([
      { disposition: "closed" },
    ]);
  });

  test("what is said otherwise of the same state is replaced, also within one run", async () => {
    const store = await create();
    const states = ["open", "closed"].map((disposition) => state(1, { disposition }));
    expect(await fill(store, states)).toEqual(["imported", "replaced"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([
      { disposition: "closed" },
    ]);
  });

  test("a state that is refused leaves what there was", async () => {
    const store = await create();
    await fill(store, [state(1)]);
    const broken = call({ call_id: "A", datetime: "yesterday" }, { revisedMs: 2 });
    for (const row of [[broken], [state(2), broken]])
      expect(await fillRows(store, [row])).toEqual([
        { rejected: 'datetime: "yesterday" is not an ISO 8601 date and time' },
      ]);
    expect(await store.calls.byCallId("A", "everything")).toEqual([state(1).record]);
    expect((await store.calls.search(query({}))).recordCount).toBe(1);
    expect(await fill(store, [state(1)])).toEqual(["unchanged"]);
  });

  test("a call that no source dates keeps the rule of its fields", async () => {
    const store = await create();
    const undated = call({ call_id: "A", datetime: DATETIME, agent: "ann" });
    await fill(store, [undated, state(5, { agent: "ann", disposition: "closed" })]);
    expect(await fill(store, [undated])).toEqual(["replaced"]);
    expect(await store.calls.byCallId("A", "everything")).toEqual([undated.record]);
  });
}
