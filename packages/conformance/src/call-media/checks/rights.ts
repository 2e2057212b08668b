// A second caller with fewer rights, beside the first: which records they see and have counted (D21).
import { findMissing, toCounted, toName } from "../archive/records.ts";
import { PAGE_SIZE, searchOf } from "../archive/window.ts";
import { isObject, recordsOf } from "../answer.ts";
import { type Run, unless } from "../run.ts";
import type { Check, Context } from "./check.ts";
import { type Attempt, covers, meet, type Second } from "./second-caller.ts";
import { findCommonFilter, selectEqual } from "./filter-values.ts";
import { proveDownloads } from "./rights-of-downloads.ts";
import { proveIdentified } from "./rights-of-identifiers.ts";
import { provePrivateFlags, provePublicFlags, proveUsers } from "./rights-of-users.ts";

const PROVED = [
  "rights.records",
  "rights.hidden",
  "rights.seen",
  "rights.download",
  "rights.users",
  "rights.private-flags",
  "rights.public-flags",
  "rights.own",
] as const;

export const rights: Check = {
  about: "a caller with fewer rights",
  proves: PROVED,
  run: async (context) => {
    const second = await meet(context);
    if (typeof second === "string") {
      for (const id of PROVED) context.run.skip(id, second);
      return;
    }
    await proveRecords(context, second);
    const { run } = context;
    const records = await proveIdentified(context, second);
    observe(run, { decision: "D21", what: "a hidden record" }, records);
    const recordings = await proveDownloads(context, second);
    observe(run, { decision: "D21", what: "a recording beyond their rights" }, recordings);
    const users = await proveUsers(context, second);
    const flags = await provePrivateFlags(context, second);
    observe(run, { decision: "D22", what: "other users" }, [...users, ...flags]);
    await provePublicFlags(context, second);
  },
};

async function proveRecords({ run, sample: { window } }: Context, second: Second): Promise<void> {
  if (window?.isWhole !== true) return;
  const covered = window.records.filter((record) => covers(second, record));
  const hidden = window.records.filter((record) => !covers(second, record));
  const filter = findCommonFilter(covered, hidden) ?? findCommonFilter(window.records);
  const { startDate, endDate } = window.search;
  const searches = [
    { search: window.search, expected: covered },
    ...(filter
      ? [
          {
            search: { operation: "searchMetadata" as const, body: filter, startDate, endDate },
            expected: selectEqual(covered, filter),
          },
        ]
      : []),
  ];
  for (const { search, expected } of searches) {
    const answer = await second.ask(searchOf(search, window.base));
    const found = recordsOf(answer);
    const [extra] = findMissing(found, expected);
    const isShort = found.length < Math.min(PAGE_SIZE, expected.length);
    const count = isObject(answer.json) ? answer.json["recordCount"] : undefined;
    const isCounted = search.operation === "searchMetadata" || count === expected.length;
    const fault = extra
      ? `${toName(extra)} is not covered by the rights`
      : unless(
          !isShort && isCounted,
          `${toCounted(found)}, counted ${String(count)}; the rights cover ${expected.length}`,
        );
    run.prove("rights.records", answer, fault);
    run.observe({
      decision: "D21",
      question: `What does a caller with fewer rights find? (${search.operation})`,
      observed: fault === undefined ? "what the rights cover" : fault,
      value: found.length,
      agrees: fault === undefined,
    });
  }
}

/** The interface says nothing of rights: what they leave open is told as well where it is no fault. */
function observe(
  run: Run,
  { decision, what }: { readonly decision: "D21" | "D22"; readonly what: string },
  attempts: readonly Attempt[],
): void {
  if (attempts.length === 0) return;
  const leaks = new Map(
    attempts.flatMap(({ operation, fault }) => (fault === undefined ? [] : [[operation, fault]])),
  );
  const told = [...leaks].map(([operation, fault]) => `${operation}: ${fault}`).join("; ");
  run.observe({
    decision,
    question: `What does a caller with fewer rights get of ${what}?`,
    observed: told === "" ? "nothing" : told,
    value: [...leaks.keys()],
    agrees: leaks.size === 0,
  });
}
