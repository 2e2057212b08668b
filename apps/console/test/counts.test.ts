// Counts of other searches: the same as by reading all, with no call shown; and which searches are offered.
import { createClient } from "@call-media/client";
import { toGroupKey } from "@call-media/conditions";
import { createFakeService } from "@call-media/testing";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { valueOf } from "../src/fields.ts";
import { EMPTY_SEARCH, type SearchRoute } from "../src/route.ts";
import { countEach } from "../src/search/count-each.ts";
import { COUNTED, listKnown, noteValues } from "../src/search/known-values.ts";
import { readPage, toQuery } from "../src/search/query.ts";
import { toExactWay, toLooserWays, toWiderWays } from "../src/search/ways.ts";
import { including } from "../src/search/wish.ts";
import { en } from "../src/text/en.ts";
import { text } from "../src/text/text.ts";

beforeAll(() => {
  text.value = en;
});

const ALL: SearchRoute = { ...EMPTY_SEARCH, days: "all" };
const value = fc.constantFrom("Billing", " billing", "Böhm", "Retention", "a*", null);
const leg = fc.record({
  campaign: value,
  disposition: value,
  custom_field_1: value,
  transcript: fc.constantFrom("a refund", "nothing", null),
});
const route = fc.constantFrom<SearchRoute>(
  ALL,
  { ...ALL, words: "refund" },
  { ...ALL, filters: { disposition: ["billing"] } },
  { ...ALL, words: "refund", filters: { custom_field_1: ["Böhm"] } },
);

const { signal } = new AbortController();

async function countAll(routes: readonly SearchRoute[], service = createFakeService()) {
  const counts: (number | undefined)[] = [];
  const client = createClient(service.clientOptions);
  await countEach(routes, { client, signal, onCount: (place, count) => (counts[place] = count) });
  return counts;
}

test("the archive counts each value as reading all of the search does, and shows no call", async () => {
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(leg, { minLength: 1, maxLength: 45 }), route, async (legs, one) => {
      const calls = legs.map((fields, index) => ({
        ...fields,
        call_id: `${index}`,
        datetime: "2026-10-30T10:00:00Z",
      }));
      const service = createFakeService({ calls });
      const client = createClient(service.clientOptions);
      const { records } = await readPage(client, toQuery(one, "2026-11-01"), { pageIndex: 0 });
      noteValues(client, records);
      const asked = service.requests.length;
      for (const field of COUNTED) {
        const read = Map.groupBy(records, (record) =>
          toGroupKey(field, valueOf(record, field).trim()),
        );
        read.delete("");
        const values = listKnown(client, field);
        expect(new Set(values.map((known) => toGroupKey(field, known)))).toEqual(
          new Set(read.keys()),
        );
        const routes = values.map((known) => including(one, { field, value: known }));
        for (const [place, count] of (await countAll(routes, service)).entries()) {
          // A second value of a field, and fields of both kinds, are for the page to check.
          if (count === undefined) continue;
          counted++;
          expect(count).toBe(read.get(toGroupKey(field, values[place] ?? ""))?.length);
        }
      }
      const pages = service.requests
        .slice(asked)
        .filter(({ operationId }) => operationId !== "createToken")
        .map((request) => Number(new URL(request.url).searchParams.get("pageIndex")));
      expect(pages.every((page) => page > 1_000_000)).toBe(true);
    }),
    { numRuns: 40 },
  );
  expect(counted).toBeGreaterThan(0);
});

test("what only reading tells is not counted", async () => {
  const one = { ...ALL, filters: { campaign: ["a", "b"] } };
  expect(await countAll([one, { ...ALL, filters: { ani: ["4711"] } }, ALL])).toEqual([
    undefined,
    undefined,
    0,
  ]);
});

test("few words offer their beginnings and the outcomes they stand in, six at most", () => {
  const words = (typed: string, outcomes: readonly string[] = []) =>
    toWiderWays({ ...ALL, words: typed }, outcomes).map((way) => way.words);
  expect(words("complaint", ["Complaint resolved", "Payment taken"])).toEqual([
    "with complaint*",
    "with complain*",
    "with outcome Complaint resolved",
  ]);
  expect(words("refund")).not.toContain("with refu*");
  expect(words("estimated complaint residence interest")).toHaveLength(6);
  expect(words("4711 a*")).toEqual([]);
  const [, , outcome] = toWiderWays({ ...ALL, words: "complaint" }, ["Complaint resolved"]);
  expect(outcome?.route).toMatchObject({
    words: "",
    filters: { disposition: ["Complaint resolved"] },
  });
  expect(toExactWay({ ...ALL, words: "complaint*" })?.route.words).toBe("complaint");
  expect(toExactWay({ ...ALL, words: "complaint" })).toBeUndefined();
});

test("a search that finds nothing is offered with more days, and without each of its filters", () => {
  const one = { ...EMPTY_SEARCH, words: "refund", filters: { campaign: ["Billing"] } };
  expect(toLooserWays(one).map((way) => way.words)).toEqual([
    "Last 30 days",
    "Last 365 days",
    "All days",
    "Without Campaign Billing",
    "Without refund",
  ]);
});
