// The bench of words, small: that both adapters find the same calls, and every goal is measured.
import { expect, test, vi } from "vitest";
import { benchWords } from "../src/store/bench-words.ts";

const ROWS = 3_000;
// One that counts.
const REPEATS = 9;

test("every goal of searches by words is measured", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const goals = await benchWords(ROWS, REPEATS);
  const printed = log.mock.calls.join("\n");
  log.mockRestore();

  const missing = goals.filter(({ measured }) => !(measured !== undefined && measured > 0));
  expect(missing.map(({ what }) => what)).toEqual([]);
  expect(printed).toMatch(/^"to the", with few rights( +\d+\.\d\d){2}$/m);
});
