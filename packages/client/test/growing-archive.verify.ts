// A search while imports add calls at random: it says complete only where nothing is missing.
import { array, assert, asyncProperty, constantFrom, integer, nat, record } from "fast-check";
import { expect, test } from "vitest";

import { type Operation, searchWhile } from "./support/search-while.ts";

test("imports during a search do not repeat or hide earlier calls, and complete proves that no other call came", async () => {
  const addition = record({
    page: integer({ min: 1, max: 7 }),
    count: integer({ min: 1, max: 100 }),
    from: nat(9).map((tenths) => tenths / 10),
    until: constantFrom(0.3, 0.7, 1),
  });
  const operations = constantFrom<Operation[]>("search", "byCustomFields");
  const imports = array(addition, { maxLength: 2 });
  await assert(
    asyncProperty(operations, nat(6), imports, async (operation, pages, imported) => {
      const { there, found, verdict } = await searchWhile(operation, pages * 50, imported);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(there));
      expect(verdict === "complete" && found.length > there.length).toBe(false);
    }),
    { numRuns: 40 },
  );
});
