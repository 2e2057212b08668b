// Watching while imports add calls between any two requests, and the watch is stopped and goes on: each is printed once.
import { createClient } from "@call-media/client";
import { createFakeService } from "@call-media/testing";
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  record,
} from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSearch } from "../src/search/wanted.ts";
import type { Cursor } from "../src/watch/cursor-file.ts";
import { createWatcher } from "../src/watch/watcher.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The day ends while the watch goes on. */
const START = Date.parse("2026-03-02T23:55:00Z");
const CURSOR: Cursor = { from: "2026-02-27", calls: [] };

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** Calls of so many hours ago, between `newest` and `oldest`. */
interface Spread {
  readonly count: number;
  readonly newest: number;
  readonly oldest: number;
}

/** Comes before the search's request of that number, counted over all looks. */
interface Import extends Spread {
  readonly before: number;
  /** Whether it also brings again all that was there, changed. */
  readonly isWhole: boolean;
}

/** What happens to a watch of `count` calls. */
interface Story {
  readonly count: number;
  readonly imports: readonly Import[];
  /** Requests in which the watch is stopped, to be started again. */
  readonly stops: readonly number[];
}

const toCalls = (name: string, { count, newest, oldest }: Spread) =>
  Array.from({ length: count }, (_, index) => {
    const hoursAgo = newest + ((oldest - newest) * index) / count;
    const datetime = new Date(START - hoursAgo * HOUR_MS).toISOString();
    return { call_id: `${name}-${index}`, datetime, agent: "ana", talk_time: 0 };
  });

/** An archive that grows as the story has it. `interrupt` is called at each of its stops. */
function openArchive({ count, imports, stops }: Story, interrupt: () => void) {
  let calls = toCalls("there", { count, newest: 0, oldest: 90 });
  let service = createFakeService({ calls });
  let requests = 0;
  const fetch: typeof service.fetch = (input, init) => {
    requests++;
    for (const [index, one] of imports.entries())
      if (one.before === requests) {
        const talk_time = one.isWhole ? requests : 0;
        const again = calls.map((call) => ({ ...call, talk_time: call.talk_time + talk_time }));
        calls = [...again, ...toCalls(`import-${index}`, one)];
        service = createFakeService({ calls });
      }
    const answer = service.fetch(input, init);
    if (stops.includes(requests)) interrupt();
    return answer;
  };
  const { baseUrl, apiKey } = service;
  return {
    client: createClient({ baseUrl, apiKey, fetch, random: () => 0 }),
    isOver: () => requests > Math.max(0, ...stops, ...imports.map(({ before }) => before)),
    ids: () => calls.map(({ call_id }) => call_id),
  };
}

/** @returns which calls are there at the end, and which were printed. */
async function watchThrough(story: Story) {
  vi.setSystemTime(START);
  let stop = new AbortController();
  const archive = openArchive(story, () => stop.abort(new Error("Ctrl-C")));
  const printed: string[] = [];
  let cursor = CURSOR;
  const start = () => {
    stop = new AbortController();
    const { signal } = stop;
    return createWatcher({
      isNewestFirst: true,
      cursor,
      open: (days) =>
        openSearch(archive.client, { ...days, filter: {}, by: "custom fields" }, signal),
      print: async (records) => void printed.push(...records.map(({ call_id }) => String(call_id))),
      keep: async (kept) => void (cursor = kept),
      onPage: () => {},
    });
  };
  let watcher = start();
  for (let quiet = 0; quiet < 3; quiet += archive.isOver() ? 1 : 0) {
    await watcher.look().catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    if (stop.signal.aborted) watcher = start();
    vi.setSystemTime(Date.now() + 2 * MINUTE_MS);
  }
  return { there: archive.ids(), printed };
}

const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => (a < b ? -1 : 1));

/** Some stories as examples, and others at random. */
async function expectEachOnce(imports: Arbitrary<Import>, examples: readonly Story[]) {
  const story = record({
    count: nat(6).map((pages) => pages * 50),
    imports: array(imports, { maxLength: 2 }),
    stops: array(integer({ min: 1, max: 20 }), { maxLength: 2 }),
  });
  await assert(
    asyncProperty(story, async (one) => {
      const { there, printed } = await watchThrough(one);
      expect(sorted(printed)).toEqual(sorted(there));
    }),
    {
      // In `test`, the examples alone.
      numRuns: process.env["CALL_MEDIA_TIER"] === "test" ? examples.length : 40,
      examples: examples.map((one) => [one]),
    },
  );
}

const imported = {
  before: integer({ min: 1, max: 20 }),
  count: integer({ min: 1, max: 100 }),
  newest: constantFrom(0, 10, 30),
  oldest: constantFrom(40, 60),
};

test("prints each call once if an import moves known calls past the end of a round", async () => {
  const spread = { count: 100, newest: 0, oldest: 60, isWhole: false };
  // The first is found by a look of five pages, the second comes before the fourth of them.
  const imports = [
    { before: 4, ...spread },
    { before: 7, ...spread },
  ];
  const added = record({ ...imported, isWhole: constant(false) });
  await expectEachOnce(added, [{ count: 150, imports, stops: [] }]);
});

test("prints each call once if an import changes calls and moves them to the next page", async () => {
  const whole = { before: 7, count: 1, newest: 0, oldest: 40, isWhole: true };
  const added = record({ ...imported, isWhole: boolean() });
  await expectEachOnce(added, [
    { count: 150, imports: [whole], stops: [] },
    // Only the second page, which is of the changed archive, tells what recordCount counts.
    { count: 50, imports: [{ ...whole, before: 2 }], stops: [] },
  ]);
});
