// A search for what is hidden takes the same steps as one for what does not exist: as many sets of places are compared.
import { expect, test, vi } from "vitest";
import type { Visibility } from "../src/index.ts";
import { createCallSearch } from "../src/sqlite/call-search.ts";
import { openForSearches } from "../src/sqlite/database.ts";
import * as places from "../src/sqlite/pieces/places.ts";
import { createArchive } from "./support/archives.ts";
import { call, fill } from "./support/records.ts";

vi.mock(import("../src/sqlite/pieces/places.ts"), { spy: true });

const OF_ANN: Visibility = [{ field: "agent", allowed: ["ann"] }];

/** Of two agents, in as many pieces as there are imports: hidden calls in one of them and in each. */
async function fillArchive(): Promise<string> {
  const store = await createArchive();
  for (const day of [1, 2, 3]) {
    const toCall = (call_id: string, agent: string, second: number) =>
      call({ call_id, agent, datetime: `2025-05-0${day}T10:00:0${second}Z` });
    const ofOne = day === 2 ? [toCall("hidden", "bob", 3)] : [];
    await fill(store, [toCall("seen", "ann", 1), toCall("hidden in each", "bob", 2), ...ofOne]);
  }
  return store.directory;
}

test("what is hidden is looked for as long as what does not exist", async () => {
  using database = openForSearches(await fillArchive());
  const search = createCallSearch(database);
  const find = (call_id: string | undefined, visibility: Visibility) => {
    vi.mocked(places.intersect).mockClear();
    const filter = call_id === undefined ? {} : { call_id };
    const range = { fromMs: Date.UTC(2025, 4, 1), untilMs: Date.UTC(2025, 4, 9) };
    const { recordCount } = search({ ...range, filter, visibility, pageIndex: 0, isCounted: true });
    return { recordCount, compared: vi.mocked(places.intersect).mock.calls.length };
  };

  // What rights come to is found out once.
  expect(find(undefined, OF_ANN).recordCount).toBe(3);
  const none = find("none", OF_ANN);
  expect(none).toEqual({ recordCount: 0, compared: 3 });
  expect(find("hidden", OF_ANN)).toEqual(none);
  expect(find("hidden in each", OF_ANN)).toEqual(none);
  expect(find("seen", OF_ANN).recordCount).toBe(3);
  // Whoever may see everything waits for nothing.
  expect(find("none", [])).toEqual({ recordCount: 0, compared: 0 });
});
