// Calls and their legs are counted apart.
import { expect, test } from "vitest";
import { createCallTally } from "../src/index.ts";

test("records with one call_id are one call, and each without is one of its own", () => {
  const tally = createCallTally();
  for (const call_id of ["a", "b", "a", "a", null, "", undefined]) tally.add({ call_id });
  expect([tally.calls(), tally.legs()]).toEqual([5, 7]);
});
