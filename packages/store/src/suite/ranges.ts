import { expect, test } from "vitest";
import type { CallSearch } from "../index.ts";
import { call, fill, query } from "./records.ts";
import type { CreateStore } from "./stores.ts";

export function describeRanges(create: CreateStore): void {
  test("both days of a range are inclusive, to the millisecond", async () => {
    const store = await createWith(create, "UTC", [
      "2025-04-30T23:59:59.999Z",
      "2025-05-01T00:00:00.000Z",
      "2025-05-02T23:59:59.999Z",
      "2025-05-03T00:00:00.000Z",
    ]);

    expect(await find(store, "2025-05-01", "2025-05-02")).toEqual([
      "2025-05-02T23:59:59.999Z",
      "2025-05-01T00:00:00.000Z",
    ]);
    expect(await find(store, "2025-05-04", "2025-05-09")).toEqual([]);
  });

  test("days begin where they do in the archive's time zone, also when clocks change", async () => {
    const store = await createWith(create, "Europe/London", [
      "2025-03-29T23:59:00Z", // 29 March, winter time
      "2025-03-30T00:00:00Z", // 30 March, the day of 23 hours
      "2025-03-30T22:59:00Z",
      "2025-03-30T23:00:00Z", // 31 March, summer time
      "2025-10-25T22:59:00Z", // 25 October, summer time
      "2025-10-25T23:00:00Z", // 26 October, the day of 25 hours
      "2025-10-26T23:59:00Z",
      "2025-10-27T00:00:00Z",
    ]);

    expect(await find(store, "2025-03-30", "2025-03-30")).toEqual([
      "2025-03-30T22:59:00Z",
      "2025-03-30T00:00:00Z",
    ]);
    expect(await find(store, "2025-10-26", "2025-10-26")).toEqual([
      "2025-10-26T23:59:00Z",
      "2025-10-25T23:00:00Z",
    ]);
  });

  test("text without an offset is local time of the archive, and comes back as it was", async () => {
    const london = await createWith(create, "Europe/London", [
      "2025-07-01T00:30:00",
      "2025-07-01T00:30:00+02:00",
    ]);
    const utc = await createWith(create, "UTC", [
      "2025-07-01T00:30:00",
      "2025-07-01T00:30:00+02:00",
    ]);

    // 00:30 in London is 23:30 of the day before in UTC, and so is 00:30+02:00 with an hour more.
    expect(await find(london, "2025-07-01", "2025-07-01")).toEqual(["2025-07-01T00:30:00"]);
    expect(await find(london, "2025-06-30", "2025-06-30")).toEqual(["2025-07-01T00:30:00+02:00"]);
    expect(await find(utc, "2025-06-30", "2025-06-30")).toEqual(["2025-07-01T00:30:00+02:00"]);
  });

  test("any calendar years may be asked for", async () => {
    const store = await createWith(create, "Europe/London", [
      "1831-01-02T00:00:00Z",
      "2247-12-30T00:00:00Z",
    ]);

    expect(await find(store, "0001-01-01", "9999-12-31")).toHaveLength(2);
    expect(await find(store, "0001-01-01", "0001-01-01")).toEqual([]);
    expect(await find(store, "9999-12-31", "9999-12-31")).toEqual([]);
    expect(await find(store, "1831-01-01", "1831-12-31")).toEqual(["1831-01-02T00:00:00Z"]);
  });

  test("counts are exact where days of the archive are no days of UTC", async () => {
    const hours = Array.from({ length: 24 * 5 }, (_, hour) =>
      new Date(Date.UTC(2025, 5, 1, hour)).toISOString(),
    );
    const store = await createWith(create, "Asia/Kolkata", hours);
    const days = [
      "2025-05-31",
      "2025-06-01",
      "2025-06-02",
      "2025-06-03",
      "2025-06-05",
      "2025-06-06",
    ];

    for (const startDate of days) {
      for (const endDate of days.filter((day) => day >= startDate)) {
        const from = Date.parse(`${startDate}T00:00:00+05:30`);
        const until = Date.parse(`${endDate}T00:00:00+05:30`) + 86_400_000;
        const expected = hours.filter(
          (hour) => Date.parse(hour) >= from && Date.parse(hour) < until,
        ).length;
        expect(await count(store, { startDate, endDate }), `${startDate} ${endDate}`).toBe(
          expected,
        );
        expect(await count(store, { startDate, endDate, filter: { agent: "ann" } })).toBe(expected);
      }
    }
  });
}

type Store = Awaited<ReturnType<CreateStore>>;

async function createWith(
  create: CreateStore,
  timeZone: string,
  datetimes: readonly string[],
): Promise<Store> {
  const store = await create(timeZone);
  await fill(
    store,
    datetimes.map((datetime) => call({ datetime, call_id: datetime, agent: "ann" })),
  );
  return store;
}

/** The datetimes in a range, with and without a filter; both must agree. */
async function find(store: Store, startDate: string, endDate: string): Promise<(string | null)[]> {
  const all = await store.calls.search(query({ startDate, endDate }));
  const filtered = await store.calls.search(
    query({ startDate, endDate, filter: { agent: "ann" } }),
  );
  expect(filtered).toEqual(all);
  expect(all.recordCount).toBe(all.records.length);
  return all.records.map(({ datetime }) => datetime);
}

async function count(store: Store, search: Partial<CallSearch>): Promise<number | undefined> {
  return (await store.calls.search(query(search))).recordCount;
}
