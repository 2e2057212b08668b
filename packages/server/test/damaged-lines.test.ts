// The advice to an operator about damaged rows.
import { expect, test } from "vitest";
import { toDamagedLines } from "../src/command-line/damage.ts";

test.each([
  [["call_id 7", "ref_id r"], true],
  [["call_id 7", "a tombstone"], false],
  [["user 3"], false],
])("only calls can be imported again: %j", (names, isAgain) => {
  const advice = toDamagedLines(names).at(-1) ?? "";
  expect(advice).toMatch(/^Restore the last backup into another folder/);
  expect(advice.includes("--restore-erased")).toBe(isAgain);
});
