// When the first rows of an import are judged.
import { expect, test, vi } from "vitest";
import { rehearse } from "../src/rehearse.ts";

async function* toRows(count: number) {
  for (let line = 1; line <= count; line++) yield { row: { line, raw: "", reason: "none" } };
}

test.each([
  [0, 1],
  [1, 1],
  [2_500, 1],
])("of %d rows judged %d times, all are passed on", async (count, times) => {
  const judge = vi.fn<() => Promise<void>>();
  let lines = 0;
  for await (const { row } of rehearse(toRows(count), judge)) expect(row.line).toBe(++lines);
  expect(lines).toBe(count);
  expect(judge).toHaveBeenCalledTimes(times);
});
