// A caller's visible records are cached between searches: the last search must be as right as the first.
import { expect, test } from "vitest";
import type { CallItem, CallStore, Visibility } from "../index.ts";
import { call, fill, query } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const OF_ANN = [{ field: "agent", allowed: ["ann", "ada"] }] as const satisfies Visibility;
const OF_BOB: Visibility = [{ field: "agent", allowed: ["bob"] }];

const toCall = (index: number, agent: string) =>
  call({ call_id: String(index), agent, datetime: `2025-05-01T10:00:${10 + index}Z`, skill: "s" });

const DAYS = Array.from({ length: 10 }, (_, day) => `2025-05-${String(day + 1).padStart(2, "0")}`);

/** A call for each hour of the days. */
const toHourly = (skills: readonly string[]): CallItem[] =>
  Array.from({ length: 24 * DAYS.length }, (_, hour) =>
    call({
      call_id: `c${hour}`,
      agent: ["ann", "bob", "ada"][hour % 3] ?? "ann",
      skill: skills[hour % skills.length] ?? "s",
      datetime: new Date(Date.UTC(2025, 4, 1, hour)).toISOString(),
    }),
  );

export function describeSearchRights(create: CreateStore): void {
  test("rights that were asked with before see what came since, and no longer what was changed", async () => {
    const store = await create();
    await fill(store, [toCall(1, "ann"), toCall(2, "bob"), toCall(3, "ann")]);
    expect(await see(store, OF_ANN)).toEqual(["3", "1"]);

    await fill(store, [toCall(4, "ada"), toCall(5, "bob")]);
    expect(await see(store, OF_ANN)).toEqual(["4", "3", "1"]);
    const { record } = toCall(3, "ann");
    await fill(store, [call({ ...record, notes: "replaced" })]);
    expect(await see(store, OF_ANN)).toEqual(["4", "3", "1"]);

    // Enough imports for their segments to be merged.
    for (let index = 6; index < 26; index += 1) await fill(store, [toCall(index, "bob")]);
    expect(await see(store, OF_ANN)).toEqual(["4", "3", "1"]);
    expect(await see(store, OF_BOB)).toHaveLength(22);
  });

  test("the rights of one are not those of another, whatever field is asked for", async () => {
    const store = await create();
    await fill(store, [toCall(1, "ann"), toCall(2, "bob"), toCall(3, "ada")]);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await see(store, OF_ANN)).toEqual(["3", "1"]);
      expect(await see(store, OF_BOB)).toEqual(["2"]);
      expect(await see(store, "everything")).toEqual(["3", "2", "1"]);
      const asked = { filter: { agent: "Bob" }, visibility: OF_ANN };
      expect((await store.calls.search(query(asked))).recordCount).toBe(0);
      const both = [...OF_ANN, { field: "skill", allowed: [] }] as const;
      expect(await see(store, both)).toEqual([]);
    }
  });

  test("calls without a single value are seen by those alone who see everything", async () => {
    const store = await create();
    await fill(store, [call({ datetime: "2025-05-01T10:00:00Z" })]);
    const count = async (visibility: Visibility) =>
      (await store.calls.search(query({ filter: { skill: "s" }, visibility }))).recordCount;

    expect(await see(store, OF_ANN)).toEqual([]);
    expect(await count(OF_ANN)).toBe(0);
    expect(await count("everything")).toBe(0);
    expect(await see(store, "everything")).toEqual([null]);
  });

  test("of hundreds of hidden calls with one identifier, one is found as soon as it is seen, and as long as it is", async () => {
    const store = await create();
    const toLeg = (leg: number, skill: string) => {
      const datetime = new Date(Date.UTC(2025, 4, 1, 0, 0, leg)).toISOString();
      return call({ call_id: "C", ref_id: "R", agent: "ann", datetime, skill });
    };
    const find = async () => {
      const visibility: Visibility = [{ field: "skill", allowed: ["s"] }];
      const found = await store.calls.byCallId("C", visibility);
      expect(await store.calls.byReference("R", visibility)).toEqual(found);
      return found.map(({ datetime }) => datetime);
    };
    await fill(
      store,
      Array.from({ length: 300 }, (_, leg) => toLeg(leg, "t")),
    );
    expect(await find()).toEqual([]);

    for (const leg of [57, 299, 300]) {
      await fill(store, [toLeg(leg, "s")]);
      expect(await find()).toEqual([toLeg(leg, "s").record.datetime]);
      await fill(store, [toLeg(leg, "t")]);
      expect(await find()).toEqual([]);
    }
  });

  test("a filter within rights: pages and counts of any days, before and after calls were changed", async () => {
    const store = await create();
    const first = toHourly(["s", "s", "s", "t", "t"]);
    await fill(store, first);
    await expectDays(store, first);

    const second = toHourly(["s", "s", "s", "t", "t", "t", "s"]);
    await fill(store, second);
    await expectDays(store, second);
  });
}

async function see(store: CallStore, visibility: Visibility) {
  const { records, recordCount } = await store.calls.search(query({ visibility }));
  expect(recordCount).toBe(records.length);
  return records.map(({ call_id }) => call_id);
}

/** From each day to each later one, the calls of skill s that ann and ada see. */
async function expectDays(store: CallStore, calls: readonly CallItem[]): Promise<void> {
  const asked = { filter: { skill: "s" }, visibility: OF_ANN };
  const seen = calls
    .map(({ record }) => record)
    .filter(({ agent, skill }) => agent !== "bob" && skill === "s")
    .toReversed();
  for (const startDate of DAYS)
    for (const endDate of DAYS.filter((day) => day >= startDate)) {
      const expected = seen.filter(
        ({ datetime }) => datetime !== null && datetime >= startDate && datetime <= `${endDate}T24`,
      );
      for (const pageIndex of [0, 1]) {
        const page = await store.calls.search(query({ ...asked, startDate, endDate, pageIndex }));
        expect(page.recordCount).toBe(expected.length);
        expect(page.records).toEqual(expected.slice(pageIndex * 50, (pageIndex + 1) * 50));
      }
    }
}
