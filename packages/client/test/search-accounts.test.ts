// What a search proves: every record once, and an account of it, whatever the service does.
import { expect, test } from "vitest";

import { type Profile, ProtocolError } from "../src/index.ts";
import { failureOf, hourlyTokens, listOf, openService, sendFailure, sendJson } from "./service.ts";
import {
  day,
  type Deployment,
  idsOf,
  openDeployment,
  pageOf,
  range,
  toRows,
} from "./support/deployment.ts";

test.each<[Omit<Deployment, "rows">, number[]]>([
  [{ counts: "all" }, [0, 1, 2]],
  [{}, [0, 1, 2, 3]],
  [{ counts: "page", pastTheEnd: 404 }, [0, 1, 2, 3]],
  [{ pastTheEnd: 400 }, [0, 1, 2, 3]],
  [{ firstPage: 1, pageZero: "refused", counts: "all" }, [0, 1, 0, 0, 2, 3]],
  [{ firstPage: 1, pageZero: "refused in the body" }, [0, 1, 0, 0, 2, 3, 4]],
  [{ pastTheEnd: "refused in the body" }, [0, 1, 2, 3]],
  [{ firstPage: 1, pageZero: "empty", pastTheEnd: 404 }, [0, 1, 0, 2, 3, 4]],
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

/** Pages from 0 of 60 records, but for the answers that `failures` says. */
function openAccidents(failures: readonly (number | undefined)[]) {
  const rows = toRows(60);
  const left = [...failures];
  return openService((response, asked) => {
    const status = left.shift();
    if (status !== undefined) return sendFailure(response, status, "Try again");
    const first = pageOf(asked) * 50;
    return sendJson(response, 200, { isError: false, data: rows.slice(first, first + 50) });
  });
}

test.each([[[400]], [[400, undefined, 400]]])(
  "a page 0 that is refused by accident loses nothing: %j",
  async (failures) => {
    const { client } = await openAccidents(failures);
    const found = await listOf(client.calls.byCustomFields(range));
    expect(idsOf(found)).toEqual(idsOf(toRows(60)));
  },
);

test.each([
  ["its first page does not begin with another", 0, [0]],
  ["the page after a short one has not come to its end", 1, [0, 1]],
])("a service that is too slow for %s", async (_, slow, pages) => {
  const { client, asked } = await openService((response, one) =>
    pageOf(one) === slow
      ? sendFailure(response, 408, "Too slow")
      : sendJson(response, 200, { isError: false, data: toRows(3) }),
  );
  const error = await failureOf(listOf(client.calls.byCustomFields(range)));
  expect(error).toMatchObject({ status: 408 });
  // How often is not told: Chromium itself sends again what a kept connection answers with 408.
  expect([...new Set(asked.map(pageOf))]).toEqual(pages);
});

test("calls that come into an empty range before its page 1 is asked for do not hide its page 0", async () => {
  const deployment: Deployment = { rows: [], counts: "all" };
  deployment.beforePage = (pageIndex) => {
    if (pageIndex === 1) deployment.rows = toRows(60);
  };
  const { connect, asked } = await openDeployment(deployment);
  const found = await listOf(connect().calls.byCustomFields(range));
  expect(idsOf(found)).toEqual(idsOf(toRows(60)));
  expect(asked.map(pageOf)).toEqual([0, 1, 0, 1]);
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

test("a rejected sign-in during a search is an error, not the end of the search", async () => {
  let count = 0;
  const token = hourlyTokens();
  const { client } = await openService(
    (response, asked) =>
      pageOf(asked) > 0
        ? sendFailure(response, 401, "Expired")
        : sendJson(response, 200, { isError: false, data: toRows(50) }),
    (response, one) =>
      ++count > 1 ? sendFailure(response, 404, "No such application") : token(response, one),
  );
  const error = await failureOf(listOf(client.calls.byCustomFields(range)));
  expect(error).toMatchObject({ operationId: "createToken", status: 404 });
});

test("a 400 after a full page is an error, because the service may limit the pages", async () => {
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

test("equal records on one page are all returned", async () => {
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

test("an empty or short page does not end a search while more records are announced", async () => {
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

test.each<[string, number, Omit<Deployment, "rows">, number[]]>([
  ["a short one", 120, {}, [0, 1, 2, 3, 4]],
  ["a full one", 100, {}, [0, 1, 2, 3]],
  ["a short one that is the only one", 3, {}, [0, 1, 2, 3]],
  ["one of pages from 1", 70, { firstPage: 1, pageZero: "first" }, [0, 1, 2, 3, 4]],
  ["the only one of pages from 1", 3, { firstPage: 1, pageZero: "first" }, [0, 1, 2, 3]],
  [
    "one of short pages from 1",
    50,
    { firstPage: 1, pageZero: "first", pageSize: 20 },
    [0, 1, 2, 3, 4, 5],
  ],
])(
  "a last page that comes again past the end is the end, and no record came twice: %s",
  async (_, count, deployment, pages) => {
    const rows = toRows(count);
    const { connect, asked } = await openDeployment({
      ...deployment,
      pastTheEnd: "the last page",
      rows,
    });
    const search = connect().calls.byCustomFields(range);
    expect(idsOf(await listOf(search))).toEqual(idsOf(rows));
    expect(asked.map(pageOf)).toEqual(pages);
    expect(search.report).toMatchObject({ rows: count, duplicates: 0, verdict: "unproved" });
  },
);

test("a repeated page is not the end, and its records count as duplicates", async () => {
  const rows = toRows(150);
  const { client } = await openService((response, asked) => {
    const first = ([0, 1, 1, 2][pageOf(asked)] ?? 3) * 50;
    sendJson(response, 200, { isError: false, data: rows.slice(first, first + 50) });
  });
  const search = client.calls.byCustomFields(range);
  expect(idsOf(await listOf(search))).toEqual(idsOf(rows));
  expect(search.report).toMatchObject({ rows: 150, duplicates: 50, verdict: "drifted" });
});

test("a search goes on from its last record where the last page comes again", async () => {
  const { connect } = await openDeployment({ rows: toRows(70), pastTheEnd: "the last page" });
  const { calls } = connect();
  const search = calls.byCustomFields(range);
  let read = 0;
  for await (const _ of search) if (++read === 70) break;
  const rest = calls.byCustomFields({ ...range, cursor: search.cursor });
  expect(await listOf(rest)).toEqual([]);
  expect(rest.report).toMatchObject({ rows: 70, duplicates: 0, verdict: "unproved" });
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

test.each(["", "2026-02-30"])(
  "the invalid day %j is sent in one window, for the service to reject",
  async (noDay) => {
    const { connect, asked } = await openDeployment({ rows: [] });
    const days = { startDate: noDay, endDate: noDay, windowDays: 7, filter: {} };
    await listOf(connect({ endDate: "included" }).calls.byCustomFields(days));
    const ends = asked.map(({ url }) => /endDate=([^&]*)/.exec(url ?? "")?.[1]);
    expect([...new Set(ends)]).toEqual([noDay]);
  },
);

test.each([
  [{}, 7, "windowDays needs profile.endDate"],
  [{ endDate: "included" } as const, 0, "windowDays must be an integer from 1"],
  [{ endDate: "included" } as const, 1.5, "windowDays must be an integer from 1"],
])("with the profile %j windowDays %d is refused", async (profile, windowDays, fault) => {
  const { connect } = await openDeployment({ rows: [] });
  expect(() => connect(profile).calls.byCustomFields({ ...range, windowDays })).toThrow(fault);
});

test("records that differ in one character are all returned", async () => {
  const rows = toRows(3000);
  const { connect } = await openDeployment({ rows, counts: "all", pageSize: 500 });
  const search = connect({ firstPage: 0 }).calls.byCustomFields(range);
  expect(idsOf(await listOf(search))).toEqual(idsOf(rows));
  expect(search.report).toMatchObject({ duplicates: 0, verdict: "complete" });
});
