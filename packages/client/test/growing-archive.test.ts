// A search while an import adds calls, anywhere among the others: it says complete only where nothing is missing.
import { array, assert, asyncProperty, constantFrom, integer, nat, record } from "fast-check";
import { expect, test } from "vitest";

import { createFakeService } from "@call-media/testing";
import { createClient } from "../src/index.ts";
import { listOf } from "./service.ts";

const DAY_MS = 86_400_000;
const day = { startDate: "2026-03-02", endDate: "2026-03-02" };

/** Calls over a part of the day, between two numbers from 0 to 1. */
interface Spread {
  readonly count: number;
  readonly from: number;
  readonly until: number;
}

const toCalls = (name: string, { count, from, until }: Spread) =>
  Array.from({ length: count }, (_, index) => {
    const datetime = Date.parse(day.startDate) + (from + ((until - from) * index) / count) * DAY_MS;
    return {
      call_id: `${name}-${index}`,
      agent: "ana",
      datetime: new Date(datetime).toISOString(),
    };
  });

/** Comes before that page is asked for. */
interface Import extends Spread {
  readonly page: number;
}

const searches = {
  search: { ...day, filter: { agent: "ana" } },
  byCustomFields: { ...day, filter: {} },
};
type Operation = keyof typeof searches;

/** Reads a search of so many calls while `imports` come. */
async function searchWhile(operation: Operation, count: number, imports: readonly Import[]) {
  const there = toCalls("there", { count, from: 0, until: 1 });
  let calls = there;
  let service = createFakeService({ calls });
  const left = new Set(imports);
  const fetch: typeof service.fetch = (input, init) => {
    const page = Number(new URL(new Request(input).url).searchParams.get("pageIndex"));
    for (const one of left)
      if (one.page === page) {
        calls = calls.concat(toCalls(`import-${left.size}`, one));
        service = createFakeService({ calls });
        left.delete(one);
      }
    return service.fetch(input, init);
  };
  const { baseUrl, apiKey } = service;
  // The service announces its count on the first page.
  const profile = { firstPage: 0, recordCount: "all" } as const;
  const client = createClient({ baseUrl, apiKey, fetch, profile });
  const search = client.calls[operation](searches[operation]);
  const found = (await listOf(search)).map(({ call_id }) => call_id);
  return { there: there.map(({ call_id }) => call_id), found, verdict: search.report.verdict };
}

test.each<Operation>(["search", "byCustomFields"])(
  "%s: calls that come among those to be read take the place of none",
  async (operation) => {
    const older = { page: 1, count: 30, from: 0, until: 0.4 };
    const { there, found, verdict } = await searchWhile(operation, 100, [older]);
    expect(found).toEqual(expect.arrayContaining(there));
    expect(found).toHaveLength(130);
    expect(verdict).toBe("drifted");
  },
);

test("whatever imports add meanwhile, each call that was there comes once, and complete says that no other did", async () => {
  const addition = record({
    page: integer({ min: 1, max: 7 }),
    count: integer({ min: 1, max: 100 }),
    from: nat(9).map((tenths) => tenths / 10),
    until: constantFrom(0.3, 0.7, 1),
  });
  const operations = constantFrom<Operation[]>("search", "byCustomFields");
  const imports = array(addition, { maxLength: 2 });
  await assert(
    asyncProperty(operations, nat(6), imports, async (operation, pages, imported) => {
      const { there, found, verdict } = await searchWhile(operation, pages * 50, imported);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(there));
      expect(verdict === "complete" && found.length > there.length).toBe(false);
    }),
    { numRuns: 40 },
  );
});
