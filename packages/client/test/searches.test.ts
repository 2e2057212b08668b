// Searches as one sequence of records, over pages of the size the service has.
import { expect, test } from "vitest";

import { ServiceError } from "../src/index.ts";
import { type Asked, listOf, openService, sendFailure, sendJson } from "./service.ts";

const search = { startDate: "2026-01-01", endDate: "2026-01-31", filter: { agent: "ana" } };

const pageOf = ({ url }: Asked) => Number(new URL(url, "http://x").searchParams.get("pageIndex"));

/** A closed archive of `count` calls that gives them in pages of `pageSize`. */
async function openArchive(count: number, pageSize: number) {
  const calls = Array.from({ length: count }, (_, index) => ({ call_id: String(index) }));
  const service = await openService((response, asked) => {
    const first = pageOf(asked) * pageSize;
    const data = calls.slice(first, first + pageSize);
    sendJson(response, 200, { isError: false, errorMessage: null, data });
  });
  return { ...service, callIds: calls.map(({ call_id }) => call_id) };
}

async function callIdsOf(records: AsyncIterable<{ call_id: string | null }>) {
  return (await listOf(records)).map(({ call_id }) => call_id);
}

test.each([
  [120, 50, [0, 1, 2]], // three pages, the last one short
  [100, 50, [0, 1, 2]], // an exact multiple: the empty page ends it
  [50, 50, [0, 1]],
  [3, 50, [0, 1]], // fewer than 50 may still be a full page
  [0, 50, [0]],
  [55, 20, [0, 1, 2]], // a service with smaller pages than documented
  [250, 100, [0, 1, 2]], // and with larger ones
])("%i records in pages of %i come once each and in order", async (count, pageSize, pages) => {
  const { client, asked, callIds } = await openArchive(count, pageSize);
  expect(await callIdsOf(client.calls.search(search))).toEqual(callIds);
  expect(asked.map(pageOf)).toEqual(pages);
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
    else sendJson(response, 200, { isError: false, data: Array.from({ length: 50 }, () => ({})) });
  });
  let count = 0;
  const read = async () => {
    for await (const _ of client.calls.search(search)) count++;
  };
  await expect(read()).rejects.toThrow(ServiceError);
  expect(count).toBe(50);
});

test("a signal ends a search with its reason", async () => {
  const { client, asked } = await openArchive(500, 50);
  const controller = new AbortController();
  const { signal } = controller;
  const read = async () => {
    for await (const _ of client.calls.search({ ...search, signal }))
      controller.abort(new Error("enough"));
  };
  await expect(read()).rejects.toThrow("enough");
  expect(asked).toHaveLength(1);
});
