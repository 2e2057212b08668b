// A search that is left goes on where it was: by its cursor, in another process too.
import { describe, expect, test } from "vitest";

import type { CallSearch, Profile } from "../src/index.ts";
import { listOf } from "./service.ts";
import {
  day,
  type Deployment,
  idsOf,
  openDeployment,
  pageOf,
  range,
  type Row,
  toRows,
} from "./support/deployment.ts";

/** Reads the search until `count` records came. */
async function take(search: CallSearch, count: number) {
  const taken: string[] = [];
  if (count === 0) return taken;
  for await (const { call_id } of search) {
    taken.push(String(call_id));
    if (taken.length === count) break;
  }
  return taken;
}

const profile: Profile = { firstPage: 0, endDate: "included", recordCount: "all" };

test.each([0, 1, 49, 50, 51, 77, 119, 120])(
  "a search that was left after %i records goes on from its cursor",
  async (count) => {
    const rows = toRows(120);
    const { connect } = await openDeployment({ rows, counts: "all" });
    for (const windowDays of [undefined, 9]) {
      const wanted = { ...range, windowDays };
      const first = connect(profile).calls.byCustomFields(wanted);
      const taken = await take(first, count);
      const { cursor } = first;
      const second = connect(profile).calls.byCustomFields({ ...wanted, cursor });
      const rest = await listOf(second);
      expect([...taken, ...idsOf(rest)]).toEqual(idsOf(rows));
      expect(second.report).toMatchObject({ rows: 120, duplicates: 0, verdict: "complete" });
    }
  },
);

test("page by page it is the same, and the cursor stands after the page", async () => {
  const rows = toRows(120);
  const { connect } = await openDeployment({ rows, counts: "all" });
  const first = connect(profile).calls.byCustomFields(range);
  const page = await first.pages().next();
  expect(page.value).toMatchObject({ pageIndex: 0, startDate: day(1), endDate: day(28) });
  const second = connect(profile).calls.byCustomFields({ ...range, cursor: first.cursor });
  const rest = (await listOf(second.pages())).flatMap(({ records }) => records);
  expect(idsOf(rest)).toEqual(idsOf(rows.slice(50)));
});

test("a search that was left goes on where it was when it is read again", async () => {
  const rows = toRows(120);
  const { connect } = await openDeployment({ rows, counts: "all" });
  const search = connect(profile).calls.byCustomFields(range);
  const taken = await take(search, 60);
  expect(search.report.verdict).toBe("unfinished");
  expect([...taken, ...idsOf(await listOf(search))]).toEqual(idsOf(rows));
});

test.each([
  ["added", (rows: Row[]) => [...toRows(130, "new"), ...rows]],
  ["taken away", (rows: Row[]) => rows.slice(55)],
])("records that were %s in between do not move the place of a cursor", async (_name, change) => {
  const rows = toRows(200);
  const deployment: Deployment = { rows, counts: "all" };
  const { connect } = await openDeployment(deployment);
  const first = connect(profile).calls.byCustomFields(range);
  const taken = await take(first, 77);
  deployment.rows = change(rows);
  const second = connect(profile).calls.byCustomFields({ ...range, cursor: first.cursor });
  expect([...taken, ...idsOf(await listOf(second))]).toEqual(idsOf(rows));
});

test.each([
  ["erased", (rows: Row[]) => rows.filter((_, index) => index !== 76)],
  [
    "edited",
    (rows: Row[]) => rows.with(76, { call_id: "edited", datetime: rows[76]?.datetime ?? "" }),
  ],
])(
  "where the cursor's record was %s, its window comes again and nothing is lost",
  async (_, change) => {
    const rows = toRows(120);
    const deployment: Deployment = { rows, counts: "all" };
    const { connect } = await openDeployment(deployment);
    const first = connect(profile).calls.byCustomFields(range);
    await take(first, 77);
    deployment.rows = change(rows);
    const second = connect(profile).calls.byCustomFields({ ...range, cursor: first.cursor });
    expect(idsOf(await listOf(second))).toEqual(idsOf(deployment.rows));
    const count = deployment.rows.length;
    expect(second.report).toMatchObject({ rows: count, duplicates: 0, verdict: "complete" });
  },
);

describe("a cursor of a search that was read to its end", () => {
  async function finish(windowDays?: number) {
    const deployment: Deployment = { rows: toRows(120), counts: "all" };
    const { connect, asked } = await openDeployment(deployment);
    const wanted = { ...range, windowDays };
    const first = connect(profile).calls.byCustomFields(wanted);
    await listOf(first);
    const { cursor } = first;
    const before = asked.length;
    return {
      deployment,
      listAsked: () => asked.slice(before),
      goOn: () => connect(profile).calls.byCustomFields({ ...wanted, cursor }),
    };
  }

  test.each([undefined, 9])("asks for the number again, windows of %s days", async (days) => {
    const { listAsked, goOn } = await finish(days);
    const search = goOn();
    expect(search.report).toMatchObject({ rows: 120, verdict: "unfinished" });
    expect(listAsked()).toHaveLength(0);
    expect(await listOf(search)).toEqual([]);
    expect(search.report).toMatchObject({ rows: 120, verdict: "complete" });
    expect(listAsked()).toHaveLength(days === undefined ? 1 : 4);
    expect(
      listAsked()
        .map(pageOf)
        .every((page) => page > 1000),
    ).toBe(true);
  });

  test.each([
    ["came late", (rows: Row[]) => [...toRows(2, "late"), ...rows]],
    ["were erased", (rows: Row[]) => rows.slice(3)],
  ])("gives the records of a window again of which some %s", async (_, change) => {
    const { deployment, goOn } = await finish();
    deployment.rows = change(deployment.rows);
    const search = goOn();
    expect(idsOf(await listOf(search))).toEqual(idsOf(deployment.rows));
    const { length: rows } = deployment.rows;
    expect(search.report).toMatchObject({ rows, duplicates: 0, verdict: "complete" });
  });

  test("returns only the records of the window that changed", async () => {
    const { deployment, goOn } = await finish(9);
    const late = { call_id: "late", datetime: `${day(15)}T09:00:00Z` };
    const at = deployment.rows.findIndex(({ datetime }) => datetime < late.datetime);
    deployment.rows = deployment.rows.toSpliced(at, 0, late);
    const search = goOn();
    const again = idsOf(await listOf(search));
    expect(again).toContain("late");
    expect(again.length).toBeLessThan(50);
    expect(search.report).toMatchObject({ rows: 121, duplicates: 0, verdict: "complete" });
  });
});

test("a cursor within a window has drifted if records came before it", async () => {
  const deployment: Deployment = { rows: toRows(120), counts: "all" };
  const { connect } = await openDeployment(deployment);
  const first = connect(profile).calls.byCustomFields(range);
  await take(first, 77);
  deployment.rows = [...toRows(2, "new"), ...deployment.rows];
  const second = connect(profile).calls.byCustomFields({ ...range, cursor: first.cursor });
  await listOf(second);
  expect(second.report).toMatchObject({
    verdict: "drifted",
    reason: expect.stringContaining("120 records came of 122 announced"),
  });
});

test.each([
  [{ counts: "all" }, 120],
  [{ counts: "all", pastTheEnd: 404 }, 120],
  [{ counts: "all", pastTheEnd: "the last page" }, 120],
  [{ counts: "all", firstPage: 1 }, 120],
  [{ counts: "page", pastTheEnd: 400 }, undefined],
  [{ counts: "none" }, undefined],
  [{ counts: "none", rows: toRows(0) }, 0],
] as const)("the number alone, from a service that has %j", async (kind, count) => {
  const { connect, asked } = await openDeployment({ rows: toRows(120), ...kind });
  const search = connect().calls.byCustomFields(range);
  expect(await search.count()).toBe(count);
  expect(asked.map(pageOf)[0]).toBeGreaterThan(1_000_000);
  expect(search.report.verdict).toBe("unfinished");
  const inWindows = connect(profile).calls.byCustomFields({ ...range, windowDays: 7 });
  await expect(inWindows.count()).rejects.toThrow("without windowDays");
});

test("the cursor of another search, or none, is refused, and no data of a record is in one", async () => {
  const { connect, asked } = await openDeployment({ rows: toRows(3), counts: "all" });
  const { calls } = connect(profile);
  const filter = { custom_field_1: "secret value" };
  const search = calls.byCustomFields({ ...range, filter });
  await take(search, 1);
  const { cursor } = search;
  expect(cursor).not.toMatch(/secret value|"c0"/);
  const others = [
    { filter: {} },
    { startDate: day(2) },
    { windowDays: 1 },
    ...["", "{}", "[]", "null", cursor.replace('"of":"', '"of":"1')].map((wrong) => ({
      cursor: wrong,
    })),
  ];
  const before = asked.length;
  const refused = new TypeError("cursor must be of the same search");
  for (const other of others)
    expect(() => calls.byCustomFields({ ...range, filter, cursor, ...other })).toThrow(refused);
  expect(() => calls.search({ ...range, filter: {}, words: "a", cursor })).toThrow(refused);
  expect(asked).toHaveLength(before);
});
