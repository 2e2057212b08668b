// Searches in PostgreSQL give what they give in memory: whether months are sealed or not, in segments of any size.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallItem, CallSearch, CallStore } from "../src/index.ts";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { createStore } from "../src/open.ts";
import { openConnections, type Pool } from "../src/postgres/connection.ts";
import { sealMonths } from "../src/postgres/search/segments.ts";
import { call, fill, query } from "../src/suite/records.ts";
import { restrictTo } from "../src/values/visibility.ts";
import { usePostgres } from "./support/postgres.ts";

const { createPlaces } = usePostgres();

// Short ones, in which most values are rare; of an agent, a field of rights, there are more than are kept.
const SIZES = { calls: 60, fewest: 8, oneOf: 6, values: 5 };

const AGENTS = ["ann", "bob", "cat", "dan", "eve", "fay", "gus"];
const SKILLS = ["s", "t"];

const maybe = (values: readonly string[], freq = 4) =>
  fc.option(fc.constantFrom(...values), { nil: null, freq });

/** Half of all calls are of few values. */
const fields = fc.record({
  agent: fc.oneof(maybe(AGENTS.slice(0, 2)), maybe(AGENTS)),
  skill: maybe(SKILLS),
  campaign: maybe(["c", "d"], 2),
  disposition: fc.oneof(fc.constant("sold"), maybe(["sold", "lost", "open"])),
  company: maybe(["rare"], 1),
  // Of a field of rights, too, but of few values.
  media: fc.oneof({ weight: 12, arbitrary: fc.constant("voice") }, fc.constantFrom("chat", "mail")),
});

const agents = fc.subarray([...AGENTS, "nobody"], { minLength: 2 });
const skills = fc.subarray(SKILLS, { minLength: 1 });
const agent = fc.constantFrom(...AGENTS);

/** Few conditions each, or nothing would match. */
const question = fc.record({
  filter: fc.oneof(
    fc.constant({}),
    fc.record({ agent }),
    fc.record({ disposition: fc.constantFrom("sold", "lost") }),
    fc.record({ skill: fc.constantFrom(...SKILLS), disposition: fc.constant("sold") }),
    fc.constant({ company: "rare" }),
  ),
  rights: fc.oneof(
    fc.constant({}),
    fc.record({ agent: agents }),
    fc.record({ skill: skills }),
    fc.record({ agent: agents, skill: skills }),
    fc.constant({ company: ["rare"] }),
    fc.constant({ media: ["chat", "mail"] }),
  ),
  days: fc.constantFrom(
    ["2024-01-01", "2024-12-31"] as const,
    ["2024-02-10", "2024-03-05"] as const,
    ["2024-03-01", "2024-03-31"] as const,
  ),
});

type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

function toSearch({ filter, rights, days: [startDate, endDate] }: Question): CallSearch {
  const restrictions = Object.entries(rights) as [
    "agent" | "skill" | "company" | "media",
    string[],
  ][]; // its keys
  return query({
    filter,
    startDate,
    endDate,
    visibility: restrictTo(restrictions.map(([field, allowed]) => ({ field, allowed }))),
  });
}

const START_MS = Date.parse("2024-02-01T00:00:00Z");
const SPAN_MS = 70 * 86_400_000;

test("pages and counts are those in memory, before and after months are sealed and changed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fields, { minLength: 200, maxLength: 400 }),
      fc.array(question, { minLength: 12, maxLength: 12 }),
      fc.array(fc.nat({ max: 199 }), { minLength: 1, maxLength: 12 }),
      async (records, questions, changed) => {
        const places = await createPlaces();
        await using store = await createStore(places);
        await using model = createMemoryStore();
        await using connections = openConnections(places.records);
        const both = [store, model];
        const calls = records.map((one, index) =>
          toCall(index, one, START_MS + Math.floor((index / records.length) * SPAN_MS)),
        );
        for (const one of both) await fill(one, calls);
        await expectAlike(both, questions);
        await sealMonths(connections.write, Date.now(), SIZES);
        expect(await countSegments(connections.write)).toBeGreaterThan(2);
        await expectAlike(both, questions);

        // Some calls are changed, and some come late.
        const again = changed.flatMap((index) => {
          const late = toCall(1_000 + index, records[index] ?? {}, START_MS + index);
          const known = calls[index];
          const other = { ...known?.record, disposition: "lost", skill: null };
          return known === undefined
            ? [late]
            : [{ ...known, record: { ...known.record, ...other } }, late];
        });
        for (const one of both) await fill(one, again);
        await expectAlike(both, questions);
        await sealMonths(connections.write, Date.now(), SIZES);
        await expectAlike(both, questions);
      },
    ),
    { numRuns: 4 },
  );
});

function toCall(index: number, given: Partial<CallItem["record"]>, atMs: number): CallItem {
  return call({ ...given, call_id: String(index), datetime: new Date(atMs).toISOString() });
}

async function expectAlike(
  [store, model]: readonly CallStore[],
  questions: readonly Question[],
): Promise<void> {
  for (const search of questions.map(toSearch))
    for (const pageIndex of [0, 1, 3, 7]) {
      const found = await store?.calls.search({ ...search, pageIndex });
      expect(found).toEqual(await model?.calls.search({ ...search, pageIndex }));
    }
}

const countSegments = async ({ ask }: Pool) => {
  const [row] = await ask<{ segments: string }>("SELECT count(*) AS segments FROM segment");
  return Number(row?.segments);
};

test("far pages are those in memory", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  await using model = createMemoryStore();
  await using connections = openConnections(places.records);
  const calls = Array.from({ length: 6_000 }, (_, index) =>
    toCall(
      index,
      // One of them is the last of those that a first look at a month takes in.
      { agent: AGENTS[index % 7] ?? null, skill: index % 98 === 0 ? "s" : "t", campaign: "c" },
      START_MS + index * 450_000,
    ),
  );
  for (const one of [store, model]) await fill(one, calls);
  const questions = [{}, { agent: "bob" }, { skill: "s" }].flatMap((filter) =>
    (["everything", [{ field: "agent", allowed: ["ann", "bob", "cat"] }]] as const).map(
      (visibility) => query({ filter, visibility }),
    ),
  );
  const expectPages = async () => {
    for (const search of questions)
      for (const pageIndex of [0, 1, 16, 20, 50, 85, 119, 120]) {
        const asked = { ...search, pageIndex };
        expect(await store.calls.search(asked)).toEqual(await model.calls.search(asked));
      }
  };
  await expectPages();
  await sealMonths(connections.write, Date.now(), {
    calls: 900,
    fewest: 100,
    oneOf: 50,
    values: 50,
  });
  await expectPages();
});
