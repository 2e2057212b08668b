// The bench of the store, small: that it measures everything, with PostgreSQL where that is installed.
import { existsSync } from "node:fs";
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

  const hasPostgres = existsSync("/usr/lib/postgresql");
  if (!hasPostgres) console.log("PostgreSQL is not installed: the comparison with it is skipped.");
  expect(goals).toHaveLength(9);
  const missing = goals.filter(({ measured }) => !(measured !== undefined && measured > 0));
  const skipped = hasPostgres ? [] : ["the store against PostgreSQL, worst question"];
  expect(missing.map(({ what }) => what)).toEqual(skipped);
  expect(goals.find(({ what }) => what.startsWith("bytes"))?.measured).toBeLessThan(1_200);
  expect(printed).toContain("3 filters, page 0 and count");
});
