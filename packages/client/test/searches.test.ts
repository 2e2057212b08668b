// Searches as one sequence of records, over pages of the size the service has.
import { describe, expect, test } from "vitest";

import {
  type CallSearch,
  ConnectionError,
  createClient,
  NotFoundError,
  type Profile,
  ProtocolError,
  ServiceError,
} from "../src/index.ts";
import {
  type Asked,
  credentials,
  failureOf,
  listOf,
  openService,
  sendFailure,
  sendJson,
  sendSuccess,
} from "./service.ts";

const search = { startDate: "2026-01-01", endDate: "2026-01-31", filter: { agent: "ana" } };

const fifty = Array.from({ length: 50 }, (_, index) => ({ call_id: String(index) }));

const pageOf = ({ url }: Asked) => Number(new URL(url, "http://x").searchParams.get("pageIndex"));

interface Differences {
  readonly firstPage?: number;
  /** The status of a page past the end. */
  readonly pastTheEndStatus?: number;
  readonly toCount?: (all: number, ofPage: number) => unknown;
}

/** A closed archive of `count` calls that gives them in pages of `pageSize`. */
async function openArchive(count: number, pageSize: number, differences: Differences = {}) {
  const { firstPage = 0, pastTheEndStatus = 200, toCount = (all) => all } = differences;
  const calls = Array.from({ length: count }, (_, index) => ({ call_id: String(index) }));
  const service = await openService((response, asked) => {
    const first = (pageOf(asked) - firstPage) * pageSize;
    const data = first < 0 ? [] : calls.slice(first, first + pageSize);
    if (data.length === 0 && first > 0 && pastTheEndStatus !== 200)
      return sendFailure(response, pastTheEndStatus, "No such page");
    const recordCount = toCount(count, data.length);
    sendJson(response, 200, { isError: false, errorMessage: null, data, recordCount });
  });
  return { ...service, callIds: calls.map(({ call_id }) => call_id) };
}

async function callIdsOf(records: AsyncIterable<{ call_id: string | null }>) {
  return (await listOf(records)).map(({ call_id }) => call_id);
}

test.each([
  [120, 50, [0, 1, 2]], // three pages, the last one short
  [100, 50, [0, 1, 2]], // an exact multiple: the count may be too low
  [50, 50, [0, 1]], // the count may be that of the page
  [3, 50, [0, 1]], // fewer than 50 may still be a full page
  [0, 50, [0, 1]], // pages may count from 1
  [55, 20, [0, 1, 2]], // a service with smaller pages than documented
  [250, 100, [0, 1, 2]], // and with larger ones
])("%i records in pages of %i come once each and in order", async (count, pageSize, pages) => {
  const { client, asked, callIds } = await openArchive(count, pageSize);
  expect(await callIdsOf(client.calls.search(search))).toEqual(callIds);
  expect(asked.map(pageOf)).toEqual(pages);
});

test.each([
  [50, 120],
  [100, 120],
  [50, 100],
])("a count of %i, of %i records, never ends complete", async (announced, count) => {
  const { baseUrl, callIds } = await openArchive(count, 50, { toCount: () => announced });
  const client = createClient({ baseUrl, credentials, profile: { recordCount: "all" } });
  const records = client.calls.byCustomFields({ ...search, filter: {} });
  expect(await callIdsOf(records)).toEqual(callIds);
  expect(records.report.verdict).toBe("drifted");
});

test("a recordCount that is written as text counts as well", async () => {
  const { client } = await openArchive(120, 50, { toCount: String });
  const found = client.calls.search(search);
  expect(await listOf(found)).toHaveLength(120);
  expect(found.report).toMatchObject({ verdict: "complete", windows: [{ announced: 120 }] });
});

test("search sends range and filter with every page", async () => {
  const { client, asked } = await openArchive(60, 50);
  await callIdsOf(client.calls.search(search));
  expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual(
    [0, 1].map((pageIndex) => [
      "POST",
      `/metadata/search?pageIndex=${pageIndex}&startDate=2026-01-01&endDate=2026-01-31`,
      '{"agent":"ana"}',
    ]),
  );
});

test("byCustomFields pages in the same way", async () => {
  const { client, asked, callIds } = await openArchive(120, 50);
  const records = client.calls.byCustomFields({ ...search, filter: { custom_field_2: "x" } });
  expect(await callIdsOf(records)).toEqual(callIds);
  expect(asked.map(({ url, body }) => [url.split("?")[0], body])).toEqual(
    Array.from({ length: 3 }, () => ["/metadata/by-custom-fields", '{"custom_field_2":"x"}']),
  );
});

test("a page is asked for only when it is needed", async () => {
  const { client, asked } = await openArchive(500, 50);
  const seen: (string | null)[] = [];
  for await (const { call_id } of client.calls.search(search)) {
    seen.push(call_id);
    if (seen.length === 50) break;
  }
  expect(seen.at(-1)).toBe("49");
  expect(asked.map(pageOf)).toEqual([0]);
});

test("the records before a failing page are given, then its error", async () => {
  const { client } = await openService((response, asked) => {
    if (pageOf(asked) === 1) sendFailure(response, 500, "Disk gone");
    else sendJson(response, 200, { isError: false, data: fifty });
  });
  let count = 0;
  const read = async () => {
    for await (const _ of client.calls.search(search)) count++;
  };
  await expect(read()).rejects.toThrow(ServiceError);
  expect(count).toBe(50);
});

test("a signal ends a search with an AbortError", async () => {
  const { client, asked } = await openArchive(500, 50);
  const controller = new AbortController();
  const { signal } = controller;
  const read = async () => {
    for await (const _ of client.calls.search({ ...search, signal }))
      controller.abort(new Error("enough"));
  };
  await expect(read()).rejects.toMatchObject({ name: "AbortError", cause: { message: "enough" } });
  expect(asked).toHaveLength(1);
});

/** What a client that has the profile reads by custom fields, and the pages it asked for. */
async function readWith(profile: Profile, count: number, differences: Differences = {}) {
  const { baseUrl, asked, callIds } = await openArchive(count, 50, differences);
  const client = createClient({ baseUrl, credentials, profile });
  const read = await callIdsOf(client.calls.byCustomFields({ ...search, filter: {} }));
  return { read, pages: asked.map(pageOf), callIds };
}

const perPage = (_all: number, ofPage: number) => ofPage;

test("a recordCount that counted more than its page is taken at its word from then on, for its operation alone", async () => {
  const { baseUrl, asked } = await openService((response, { url }) => {
    const isLong = url.includes("startDate=2026-01-01");
    const isFirst = url.includes("pageIndex=0");
    const data = isFirst ? fifty.slice(0, isLong ? 50 : 3) : isLong ? [{ call_id: "last" }] : [];
    const recordCount = url.includes("/by-custom-fields") && isLong ? 51 : data.length;
    sendJson(response, 200, { isError: false, errorMessage: null, data, recordCount });
  });
  const { calls } = createClient({ baseUrl, credentials });
  const short = { ...search, startDate: "2026-01-31", filter: {} };
  const read = async (from: CallSearch) => {
    const before = asked.length;
    const { length } = await listOf(from);
    return [length, asked.slice(before).map(pageOf), from.report.verdict];
  };
  expect(await read(calls.byCustomFields(short))).toEqual([3, [0, 1], "unproved"]);
  expect(await read(calls.byCustomFields({ ...search, filter: {} }))).toEqual([
    51,
    [0, 1],
    "complete",
  ]);
  expect(await read(calls.byCustomFields(short))).toEqual([3, [0], "complete"]);
  expect(await read(calls.search({ ...short, filter: { agent: "a" } }))).toEqual([
    3,
    [0, 1],
    "unproved",
  ]);
});

test.each<[string, Profile, number, Differences, number[]]>([
  ["pages from 1", { firstPage: 1 }, 120, { firstPage: 1 }, [1, 2, 3]],
  ["pages from 0 where the profile says nothing", { firstPage: null }, 120, {}, [0, 1, 2]],
  ["a known page size spares the page after a short one", { pageSize: 50 }, 3, {}, [0]],
  ["a page size that is larger than was known", { pageSize: 20 }, 70, {}, [0, 1]],
  ["a count of all pages spares the page after a short one", { recordCount: "all" }, 3, {}, [0]],
  ["the page after a full one proves a count", { recordCount: "all" }, 100, {}, [0, 1, 2]],
  [
    "a count of the page ends nothing",
    { recordCount: "page" },
    120,
    { toCount: perPage },
    [0, 1, 2, 3],
  ],
  [
    "a page past the end that is refused ends a search",
    { firstPage: 1, pastTheEndStatus: 404 },
    100,
    { firstPage: 1, pastTheEndStatus: 404, toCount: perPage },
    [1, 2, 3],
  ],
])("with a profile: %s", async (_name, profile, count, differences, pages) => {
  const found = await readWith(profile, count, differences);
  expect(found.read).toEqual(found.callIds);
  expect(found.pages).toEqual(pages);
});

test.each([
  [{ endDate: "excluded" } as const, "2026-01-31", "2026-02-01"],
  [{ endDate: "included" } as const, "2026-01-31", "2026-01-31"],
  [{ endDate: null }, "2026-01-31", "2026-01-31"],
  [{ endDate: "excluded" } as const, "2024-12-31", "2025-01-01"],
  [{ endDate: "included" } as const, "9999-12-31", "9999-12-31"],
  [{ endDate: "excluded" } as const, "9999-12-30", "9999-12-31"],
  // No day of the calendar: what was asked for is what is refused.
  [{ endDate: "excluded" } as const, "2026-02-30", "2026-02-30"],
  [{ endDate: "excluded" } as const, "soon", "soon"],
])("with the profile %j a search to %s is sent to %s", async (profile, endDate, sent) => {
  const { baseUrl, asked } = await openArchive(3, 50);
  const { calls } = createClient({ baseUrl, credentials, profile });
  await callIdsOf(calls.search({ ...search, endDate }));
  await callIdsOf(calls.byCustomFields({ ...search, endDate, filter: {} }));
  const ends = asked.map(({ url }) => new URL(url, "http://x").searchParams.get("endDate"));
  expect(new Set(ends)).toEqual(new Set([sent]));
});

test("a search to the last day there is, of a service that leaves the last day out, is refused and not sent", async () => {
  const { baseUrl, asked } = await openArchive(3, 50);
  const { calls } = createClient({ baseUrl, credentials, profile: { endDate: "excluded" } });
  for (const windowDays of [undefined, 7]) {
    const wanted = { ...search, startDate: "9999-12-01", endDate: "9999-12-31", windowDays };
    await expect(listOf(calls.search(wanted))).rejects.toMatchObject({
      name: "InvalidRequestError",
      message: "endDate must be before 9999-12-31",
      operationId: "searchMetadata",
      attempts: 0,
    });
  }
  expect(asked).toHaveLength(0);
});

test("a rejected first page is an error, whatever the profile says", async () => {
  const { baseUrl } = await openService((response) => sendFailure(response, 404, "No such page"));
  const client = createClient({ baseUrl, credentials, profile: { pastTheEndStatus: 404 } });
  await expect(listOf(client.calls.search(search))).rejects.toThrow(NotFoundError);
});

test.each([
  ["a cut connection", {}, ConnectionError],
  ["a cut connection", { pastTheEndStatus: 404 }, ConnectionError],
  ["an answer without the envelope", { pastTheEndStatus: 200 }, ProtocolError],
])("%s fails a search with the profile %j", async (fault, profile, expected) => {
  const { baseUrl } = await openService((response, asked) => {
    if (pageOf(asked) === 0) sendJson(response, 200, { isError: false, data: fifty });
    else if (fault === "a cut connection") response.destroy();
    else sendJson(response, 200, {});
  });
  const client = createClient({ baseUrl, credentials, profile });
  await expect(listOf(client.calls.search(search))).rejects.toThrow(expected);
});

describe("a search that is read more than once", () => {
  const open = async () => {
    const { client } = await openService((response, { url }) => {
      const page = Number(new URL(url, "http://x").searchParams.get("pageIndex"));
      response.setHeader("Content-Range", `records */3`);
      sendSuccess(
        response,
        page === 0 ? [{ call_id: "1" }, { call_id: "2" }, { call_id: "3" }] : [],
      );
    });
    const range = { startDate: "2026-03-02", endDate: "2026-03-02" };
    return client.calls.search({ ...range, filter: { agent: "a" } });
  };
  const ENDED = new TypeError(
    "The search was read to its end; create another one to read it again",
  );

  test("says so after its end, by records and by pages", async () => {
    const one = await open();
    expect(await listOf(one)).toHaveLength(3);
    expect(await failureOf(listOf(one))).toEqual(ENDED);
    expect(await failureOf(listOf(one.pages()))).toEqual(ENDED);
    expect(one.report).toMatchObject({ rows: 3, verdict: "complete" });
  });

  test("continues after a break, also one at the last record", async () => {
    const one = await open();
    let count = 0;
    for await (const _ of one) if (++count === 3) break;
    expect(await listOf(one)).toEqual([]);
    expect(one.report).toMatchObject({ rows: 3, verdict: "complete" });
  });

  test("is read by the loop that began last, and the other one fails", async () => {
    const one = await open();
    const left = one.pages();
    await left.next();
    const taken = one.pages();
    await taken.next();
    const fault = "Another loop has begun to read the search; create one for each";
    expect(await failureOf(left.next())).toEqual(new TypeError(fault));
  });
});
