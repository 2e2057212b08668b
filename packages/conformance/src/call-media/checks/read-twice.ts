// Whether the same request, sent again, is answered with the same records.
import { recordsOf } from "../answer.ts";
import type { Ask } from "../answer.ts";
import { toSet } from "../archive/records.ts";
import { searchOf } from "../archive/window.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";

export const readTwice: Check = {
  about: "reading twice",
  proves: ["read.same"],
  run: async ({ run, sample: { window } }) => {
    const asks: readonly Ask[] = [
      ...(window === undefined ? [] : [searchOf(window.search, window.base)]),
      { operation: "listUsers", query: { status: "all" } },
      { operation: "listPublicFlags" },
    ];
    for (const ask of asks) {
      const before = await run.recall(ask);
      const again = await run.ask(ask);
      const isSame = toSet(recordsOf(before)) === toSet(recordsOf(again));
      run.prove("read.same", again, unless(isSame, "the second answer has other records"));
    }
  },
};
