// What a search proves: every record once, whatever the service does and however often the search is left.
import { expect, test } from "vitest";

import { type CallSearch, createClient, type Profile, ProtocolError } from "../src/index.ts";
import {
  type Asked,
  failureOf,
  hourlyTokens,
  listOf,
  openService,
  sendFailure,
  sendJson,
} from "./service.ts";

interface Row {
  readonly call_id: string;
  readonly datetime: string;
}

interface Deployment {
  rows: Row[];
  firstPage?: 0 | 1;
  /** What is done with page 0 where pages begin with 1. */
  pageZero?: "refused" | "empty" | "first";
  pastTheEnd?: number;
  counts?: "all" | "page" | "none";
  pageSize?: number;
  /** Runs before each page, to change the rows. */
  beforePage?: (pageIndex: number) => void;
}

const day = (number: number) => `2026-01-${String(number).padStart(2, "0")}`;
const toRows = (count: number, prefix = "c"): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    call_id: `${prefix}${index}`,
    datetime: `${day(28 - Math.floor((index * 28) / count))}T09:00:00Z`,
  }));
const idsOf = (rows: readonly { call_id: string | null }[]) => rows.map(({ call_id }) => call_id);
const pageOf = ({ url }: Asked) => Number(new URL(url, "http://x").searchParams.get("pageIndex"));

async function openDeployment(deployment: Deployment) {
  const { firstPage = 0, pageZero = "refused", pastTheEnd = 200, counts = "none" } = deployment;
  const { pageSize = 50 } = deployment;
  const service = await openService((response, asked) => {
    const query = new URL(asked.url, "http://x").searchParams;
    const pageIndex = pageOf(asked);
    deployment.beforePage?.(pageIndex);
    if (pageIndex < firstPage && pageZero === "refused")
      return sendFailure(response, 400, "pageIndex must be 1 or more");
    const [start, end] = [query.get("startDate") ?? "", query.get("endDate") ?? ""];
    const found = deployment.rows.filter(
      ({ datetime }) => datetime.slice(0, 10) >= start && datetime.slice(0, 10) <= end,
    );
    const index = Math.max(0, pageIndex - firstPage);
    const isEmpty = pageIndex < firstPage && pageZero === "empty";
    const data = isEmpty ? [] : found.slice(index * pageSize, (index + 1) * pageSize);
    if (data.length === 0 && index > 0 && pastTheEnd !== 200)
      return sendFailure(response, pastTheEnd, "There is no such page");
    const recordCount = counts === "all" ? found.length : data.length;
    const count = counts === "none" ? {} : { recordCount };
    return sendJson(response, 200, { isError: false, errorMessage: null, data, ...count });
  });
  const connect = (profile: Profile = {}) =>
    createClient({ baseUrl: service.baseUrl, apiKey: "key-1", profile, random: () => 0 });
  return { ...service, connect };
}

const range = { startDate: day(1), endDate: day(28), filter: {} };

test.each<[Omit<Deployment, "rows">, number[]]>([
  [{ counts: "all" }, [0, 1, 2]],
  [{}, [0, 1, 2, 3]],
  [{ counts: "page", pastTheEnd: 404 }, [0, 1, 2, 3]],
  [{ pastTheEnd: 400 }, [0, 1, 2, 3]],
  [{ firstPage: 1, pageZero: "refused", counts: "all" }, [0, 1, 0, 2, 3]],
  [{ firstPage: 1, pageZero: "empty", pastTheEnd: 404 }, [0, 1, 2, 3, 4]],
  [{ firstPage: 1, pageZero: "first", counts: "all" }, [0, 1, 2, 3]],
])("an unknown service like %j is read whole", async (deployment, pages) => {
  const rows = toRows(120);
  const { connect, asked } = await openDeployment({ ...deployment, rows });
  const { calls } = connect();
  const search = calls.byCustomFields(range);
  expect(idsOf(await listOf(search))).toEqual(idsOf(rows));
  expect(asked.map(pageOf)).toEqual(pages);
  const verdict = deployment.counts === "all" ? "complete" : "unproved";
  expect(search.report).toMatchObject({ rows: 120, duplicates: 0, verdict });
  // What was found out is kept: page 0 is not tried again where it was refused or empty.
  const again = asked.length;
  await listOf(calls.byCustomFields(range));
  const isFrom1 = deployment.firstPage === 1 && deployment.pageZero !== "first";
  expect(asked.slice(again).map(pageOf)[0]).toBe(isFrom1 ? 1 : 0);
});

test("a refusal of both first pages is that of the service", async () => {
  const { client } = await openService((response) => sendFailure(response, 400, "No such filter"));
  const error = await failureOf(listOf(client.calls.byCustomFields(range)));
  expect(error).toMatchObject({ name: "InvalidRequestError", message: "No such filter" });
});

test("a refusal of page 0 that was an accident loses nothing", async () => {
  const rows = toRows(60);
  let count = 0;
  const { client } = await openService((response, asked) => {
    if (++count === 1) return sendFailure(response, 400, "Try again");
    const first = pageOf(asked) * 50;
    return sendJson(response, 200, { isError: false, data: rows.slice(first, first + 50) });
  });
  expect(idsOf(await listOf(client.calls.byCustomFields(range)))).toEqual(idsOf(rows));
});

test("a refused sign-in says nothing about pages", async () => {
  let count = 0;
  const token = hourlyTokens();
  const { client, asked } = await openService(
    (response) => sendJson(response, 200, { isError: false, data: toRows(3), recordCount: 3 }),
    (response, one) =>
      ++count === 1 ? sendFailure(response, 400, "No such application") : token(response, one),
  );
  const error = await failureOf(listOf(client.calls.byCustomFields(range)));
  expect(error).toMatchObject({ operationId: "createToken" });
  expect(asked).toEqual([]);
});

test("a 400 after a full page is no end: the pages may be limited", async () => {
  const { connect } = await openDeployment({ rows: toRows(100), pastTheEnd: 400 });
  const error = await failureOf(listOf(connect().calls.byCustomFields(range)));
  expect(error).toMatchObject({ name: "InvalidRequestError" });
});

test("records that are added meanwhile move others to the next page: each is given once", async () => {
  const rows = toRows(120);
  const deployment: Deployment = { rows, counts: "all" };
  deployment.beforePage = (pageIndex) => {
    if (pageIndex === 1) deployment.rows = [...toRows(7, "new"), ...rows];
  };
  const { connect } = await openDeployment(deployment);
  const search = connect().calls.byCustomFields(range);
  expect(idsOf(await listOf(search))).toEqual(idsOf(rows));
  expect(search.report).toMatchObject({ rows: 120, duplicates: 7, verdict: "complete" });
});

test("equal records on one page are as many as they are", async () => {
  const row = { call_id: "c", datetime: `${day(3)}T09:00:00Z` };
  const { connect } = await openDeployment({ rows: [row, row, row], counts: "all" });
  const search = connect({ recordCount: "all" }).calls.byCustomFields(range);
  expect(await listOf(search)).toHaveLength(3);
  expect(search.report).toMatchObject({ rows: 3, duplicates: 0, verdict: "complete" });
});

test("records that went away meanwhile show in the account", async () => {
  const rows = toRows(120);
  const deployment: Deployment = { rows, counts: "all" };
  deployment.beforePage = (pageIndex) => {
    if (pageIndex === 1) deployment.rows = rows.slice(5);
  };
  const { connect } = await openDeployment(deployment);
  const search = connect().calls.byCustomFields(range);
  expect(await listOf(search)).toHaveLength(115);
  expect(search.report).toMatchObject({ rows: 115, verdict: "drifted" });
});

test("an empty or short page amid others is passed while more is announced", async () => {
  const rows = toRows(90);
  const pieces = [rows.slice(0, 40), [], rows.slice(40, 41), rows.slice(41)];
  const { client } = await openService((response, asked) => {
    const data = pieces[pageOf(asked)] ?? [];
    sendJson(response, 200, { isError: false, data, recordCount: 90 });
  });
  const search = client.calls.byCustomFields(range);
  expect(idsOf(await listOf(search))).toEqual(idsOf(rows));
  expect(search.report.verdict).toBe("complete");
});

test("a count that is never reached ends after a few empty pages", async () => {
  const { client, asked } = await openService((response, one) => {
    const data = pageOf(one) === 0 ? toRows(30) : [];
    sendJson(response, 200, { isError: false, data, recordCount: 31 });
  });
  const search = client.calls.byCustomFields(range);
  expect(await listOf(search)).toHaveLength(30);
  expect(search.report.verdict).toBe("drifted");
  expect(asked.length).toBeLessThan(10);
});

test("a service that takes no notice of pageIndex is found out", async () => {
  const { client, asked } = await openService((response) =>
    sendJson(response, 200, { isError: false, data: toRows(50) }),
  );
  const error = await failureOf(listOf(client.calls.byCustomFields(range)));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(String(error)).toContain("the same records");
  expect(asked.length).toBeLessThan(10);
});

test("windows are read newest first, each with its own account", async () => {
  const rows = toRows(120);
  const { connect, asked } = await openDeployment({ rows, counts: "all" });
  const profile: Profile = { firstPage: 0, endDate: "included", recordCount: "all" };
  const search = connect(profile).calls.byCustomFields({ ...range, windowDays: 10 });
  expect(idsOf(await listOf(search))).toEqual(idsOf(rows));
  const { windows, verdict } = search.report;
  expect(verdict).toBe("complete");
  expect(windows.map(({ startDate, endDate }) => `${startDate} ${endDate}`)).toEqual([
    "2026-01-19 2026-01-28",
    "2026-01-09 2026-01-18",
    "2026-01-01 2026-01-08",
  ]);
  expect(windows.reduce((sum, window) => sum + window.rows, 0)).toBe(120);
  expect(windows.every(({ isDone, announced, rows: given }) => isDone && announced === given)).toBe(
    true,
  );
  const oldestFirst = connect({ ...profile, order: "oldest-first" }).calls;
  const before = asked.length;
  await listOf(oldestFirst.byCustomFields({ ...range, windowDays: 10 }));
  expect(asked[before]?.url).toContain("startDate=2026-01-01");
});

test.each([
  [{}, 7, "windowDays needs profile.endDate"],
  [{ endDate: "included" } as const, 0, "windowDays must be an integer from 1 up"],
  [{ endDate: "included" } as const, 1.5, "windowDays must be an integer from 1 up"],
])("with the profile %j windowDays %d is refused", async (profile, windowDays, fault) => {
  const { connect } = await openDeployment({ rows: [] });
  expect(() => connect(profile).calls.byCustomFields({ ...range, windowDays })).toThrow(fault);
});

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

test("a cursor whose record went away is refused", async () => {
  const rows = toRows(120);
  const deployment: Deployment = { rows, counts: "all" };
  const { connect } = await openDeployment(deployment);
  const first = connect(profile).calls.byCustomFields(range);
  await take(first, 77);
  deployment.rows = rows.filter((_, index) => index !== 76);
  const second = connect(profile).calls.byCustomFields({ ...range, cursor: first.cursor });
  const error = await failureOf(listOf(second));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(String(error)).toContain("no longer there");
});

test("the cursor of another search, or none, is refused, and no data of a record is in one", async () => {
  const { connect, asked } = await openDeployment({ rows: toRows(3), counts: "all" });
  const { calls } = connect(profile);
  const filter = { custom_field_1: "secret value" };
  const search = calls.byCustomFields({ ...range, filter });
  await take(search, 1);
  const { cursor = "" } = search;
  expect(cursor).not.toMatch(/secret value|"c0"/);
  const before = asked.length;
  const others = [
    calls.byCustomFields({ ...range, filter: {}, cursor }),
    calls.byCustomFields({ ...range, filter, startDate: day(2), cursor }),
    calls.byCustomFields({ ...range, filter, windowDays: 1, cursor }),
    calls.search({ ...range, filter: {}, cursor }),
    ...["", "{}", "[]", "null", cursor.replace('"v":1', '"v":2')].map((wrong) =>
      calls.byCustomFields({ ...range, filter, cursor: wrong }),
    ),
  ];
  for (const other of others) {
    const error = await failureOf(listOf(other));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain("cursor must be what the same search gave");
  }
  expect(asked).toHaveLength(before);
});
