// A search while an import adds calls, anywhere among the others: it says complete only where nothing is missing. Imports at
// random are in growing-archive.verify.ts.
import { expect, test } from "vitest";

import { type Operation, searchWhile } from "./support/search-while.ts";

test.each<Operation>(["search", "byCustomFields"])(
  "%s: calls that come among those to be read take the place of none",
  async (operation) => {
    const older = { page: 1, count: 30, from: 0, until: 0.4 };
    const { there, found, verdict } = await searchWhile(operation, 100, [older]);
    expect(found).toEqual(expect.arrayContaining(there));
    expect(found).toHaveLength(130);
    expect(verdict).toBe("drifted");
  },
);
