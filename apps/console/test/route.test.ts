// Addresses: what is written is read again, and whatever is typed there is some page.
import type { Condition, Test } from "@call-media/conditions";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Days, PERIODS, PRESETS, toDayRange } from "../src/days.ts";
import { type Field, FIELDS, isFilterField, NUMBERS } from "../src/fields.ts";
import { EMPTY_SEARCH, parseRoute as parse, type Route, writeRoute } from "../src/route.ts";
import { readWhere } from "../src/search/language.ts";

const parseRoute = (hash: string) => parse(hash, readWhere);

const text = fc.string({ minLength: 1, unit: "grapheme" }).filter((value) => value.trim() !== "");
const field = fc.constantFrom(...FIELDS);
const small = fc.integer({ min: 2, max: 9999 });

const comparison: fc.Arbitrary<Test<Field>> = field.chain((name) => {
  const signs = name === "datetime" ? (["~"] as const) : (["~", "==", "!="] as const);
  const value = NUMBERS.has(name)
    ? fc.record({
        comparison: fc.constantFrom("==", ">", "<=" as const),
        value: fc.nat(),
      })
    : fc.oneof(
        fc.record({ comparison: fc.constantFrom(...signs), value: text }),
        fc.record({ comparison: fc.constantFrom("==", "!=" as const), value: fc.constant(null) }),
      );
  return value.map((rest) => ({ field: name, ...rest }));
});
const condition: fc.Arbitrary<Condition<Field>> = fc.oneof(
  comparison,
  fc.tuple(comparison, comparison).map((any) => ({ any })),
  comparison.map((not) => ({ not })),
);

const days: fc.Arbitrary<Days> = fc.oneof(
  fc.record({ last: small }),
  fc.constantFrom("all" as const, ...PERIODS),
  fc.constant({ from: "2025-01-01", to: "2026-12-31" }),
);

const selectors = fc
  .tuple(fc.array(text), fc.array(text))
  .map(([calls, references]) => [
    ...calls.map((call_id) => ({ call_id })),
    ...references.map((ref_id) => ({ ref_id })),
  ]);

const search = fc.record({
  page: fc.constant("search" as const),
  days,
  words: fc.string().map((typed) => typed.trim()),
  filters: fc.dictionary(
    fc.constantFrom(...FIELDS.filter((one) => isFilterField(one) && !NUMBERS.has(one))),
    fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
    { noNullPrototype: true },
  ),
  where: fc.array(condition, { maxLength: 3 }),
  sort: fc.option(fc.record({ by: field, isDescending: fc.boolean() }), { nil: undefined }),
  columns: fc.uniqueArray(field, { minLength: 1 }),
});

const route: fc.Arbitrary<Route> = fc.oneof(
  search,
  fc.record({
    page: fc.constant("read" as const),
    search,
    side: fc.constantFrom("customer" as const, "agent" as const, undefined),
    find: fc.string(),
  }),
  fc.record({
    page: fc.constant("call" as const),
    by: fc.constantFrom("call_id", "ref_id" as const),
    id: text,
    leg: small,
    part: fc.option(small, { nil: undefined }),
    at: fc.option(
      fc.tuple(fc.nat({ max: 9999 }), fc.option(small, { nil: undefined })).map(([from, more]) => ({
        from,
        to: more === undefined ? undefined : from + more,
      })),
      { nil: undefined },
    ),
    find: fc.string(),
    words: fc.string(),
  }),
  fc.record({
    page: fc.constant("hand-over" as const),
    search,
    picked: selectors,
    without: selectors,
  }),
  fc.constantFrom({ page: "about" as const }, { page: "check" as const }),
);

test("every page has an address that leads back to it", () => {
  fc.assert(
    fc.property(route, (one) => {
      expect(parseRoute(writeRoute(one))).toEqual(one);
    }),
  );
});

test.each([
  ["2026-11-26", "yesterday", "2026-11-25", "2026-11-25"],
  ["2026-11-26", "this-week", "2026-11-23", "2026-11-26"],
  ["2026-11-26", "last-week", "2026-11-16", "2026-11-22"],
  ["2026-11-23", "this-week", "2026-11-23", "2026-11-23"],
  ["2026-11-29", "last-week", "2026-11-16", "2026-11-22"],
  ["2024-03-31", "last-month", "2024-02-01", "2024-02-29"],
  ["2026-01-01", "this-quarter", "2026-01-01", "2026-01-01"],
  ["2026-01-01", "last-quarter", "2025-10-01", "2025-12-31"],
  ["2026-12-31", "this-quarter", "2026-10-01", "2026-12-31"],
  ["2026-01-01", "last-week", "2025-12-22", "2025-12-28"],
] as const)("on %s %s is from %s to %s", (today, period, startDate, endDate) => {
  expect(toDayRange(period, today)).toEqual({ startDate, endDate });
});

test("usual days have names in the address", () => {
  const names = PRESETS.map((one) => writeRoute({ ...EMPTY_SEARCH, days: one }));
  expect(names[0]).toBe("#/?from=today");
  expect(names).toContain("#/?from=last-week");
  expect(names.map((hash) => parseRoute(hash))).toEqual(
    PRESETS.map((one) => ({ ...EMPTY_SEARCH, days: one })),
  );
  expect(parseRoute("#/?from=-1d")).toEqual(parseRoute("#/?from=today"));
});

const PAGES = ["search", "read", "hand-over", "call", "about", "check", "unknown"];

test("whatever is typed leads to some page", () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      expect(PAGES).toContain(parseRoute(`#/${typed}`).page);
    }),
  );
});

test("a search with conditions waits for their language, and reads all of it", () => {
  const hash = "#/?where=talk_time > 10:00 %26%26 (campaign == 'a' || !ani == null)";
  expect(parse(hash)).toEqual({ page: "loading" });
  expect(parseRoute(hash)).toMatchObject({
    page: "search",
    where: [
      { field: "talk_time", comparison: ">", value: 600 },
      {
        any: [
          { field: "campaign", comparison: "==", value: "a" },
          { not: { field: "ani", comparison: "==", value: null } },
        ],
      },
    ],
  });
});

test.each([
  ["talk_time > 10x", 15],
  ["", 1],
  ['campaign = "a"', 10],
  ["agent ~ null", 9],
  ["datetime > 2026-02-30", 12],
  ['nothing == "x"', 1],
  ['campaign == "x', 13],
])("a search where %j is none, and names column %i", (where, column) => {
  expect(parseRoute(`#/?agent=ann&where=${encodeURIComponent(where)}`)).toMatchObject({
    page: "unknown",
    unreadable: {
      parts: [{ text: `where=${where}`, column }],
      without: { page: "search", filters: { agent: ["ann"] }, where: [] },
    },
  });
});

test.each([
  ["hand-over?agent=ann&pick=", "pick="],
  ["hand-over?agent=ann&pick=1&side=agent", "side=agent"],
  ["hand-over?agent=ann&pick-reference=%20&picks=1", "pick-reference= ", "picks=1"],
  ["check?seal=1", "seal=1"],
  ["about?x=", "x="],
])("the page %s is none, and says what cannot be read", (page, ...parts) => {
  expect(parseRoute(`#/${page}`)).toMatchObject({
    page: "unknown",
    unreadable: {
      parts: parts.map((part) => ({ text: part })),
      without: { page: page.split("?")[0] },
    },
  });
});

test.each([
  ["from=tomorrow", "from=tomorrow"],
  ["from=last-week&to=2026-03-01", "from=last-week", "to=2026-03-01"],
  ["from=2026-02-30&to=2026-03-01", "from=2026-02-30", "to=2026-03-01"],
  ["from=2026-03-02&to=2026-03-01", "from=2026-03-02", "to=2026-03-01"],
  ["from=2026-03-01", "from=2026-03-01"],
  ["to=2026-03-01", "to=2026-03-01"],
  ["from=all&to=2026-03-01", "from=all", "to=2026-03-01"],
  ["from=-0d", "from=-0d"],
  ["from=", "from="],
  ["campagin=Billing", "campagin=Billing"],
  ["notes=angry", "notes=angry"],
  ["campaign=", "campaign="],
  ["talk_time=long", "talk_time=long"],
  ["talk_time=-5", "talk_time=-5"],
  ["sort=-nothing", "sort=-nothing"],
  ["columns=agent,nothing", "columns=agent,nothing"],
  ["words=a&words=b", "words=a", "words=b"],
])("a search by %s is none, and says what cannot be read", (query, ...parts) => {
  const read = parseRoute(`#/?agent=ann&${query}`);
  expect(read).toMatchObject({
    page: "unknown",
    unreadable: { parts: parts.map((part) => ({ text: part })) },
  });
  const { without } = ("unreadable" in read && read.unreadable) || {};
  expect(without).toMatchObject({ page: "search", filters: { agent: ["ann"] }, where: [] });
});

test.each(["leg=0", "leg=two", "part=x", "t=soon", "leg=1&leg=2", "word=refund"])(
  "a call by %s is none",
  (query) => {
    expect(parseRoute(`#/call/7?find=a&${query}`)).toMatchObject({
      page: "unknown",
      unreadable: { without: { page: "call", id: "7", leg: 1, part: undefined, find: "a" } },
    });
  },
);
