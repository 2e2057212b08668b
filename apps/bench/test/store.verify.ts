// The bench of the store, small: that it measures everything, over both adapters.
import { expect, test, vi } from "vitest";
import { benchStore } from "../src/store/bench-store.ts";

const ROWS = 3_000;
// One that counts.
const REPEATS = 9;

test("every goal of the store is measured", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const goals = await benchStore(ROWS, REPEATS);
  const printed = log.mock.calls.join("\n");
  log.mockRestore();

  expect(goals).toHaveLength(9);
  const missing = goals.filter(({ measured }) => !(measured !== undefined && measured > 0));
  expect(missing.map(({ what }) => what)).toEqual([]);
  expect(goals.find(({ what }) => what.startsWith("bytes"))?.measured).toBeLessThan(1_200);
  // A name, two times by the clock, five of CPU of which two are PostgreSQL's own, three ratios.
  const line = /^3 filters, page 0 and count( +\d+\.\d\d){10}$/m;
  expect(printed).toMatch(line);
});
