// A caller sees their own data and no more: in lists, by key, by HEAD, by validators, and by every operation that accepts the key.
import { isDeepStrictEqual } from "node:util";
import type { Answer, Caller } from "../ask.ts";
import type { Parameter } from "../document/document.ts";
import type { FoundList, Run } from "../run.ts";
import { sourceOf } from "../values/candidates.ts";
import { withKey } from "../values/fields.ts";
import { findList, keyOf, keysOf, readAll, rowsOf } from "../values/lists.ts";
import { hasSize, totalOf } from "../values/pages.ts";
import { headerOf, show } from "../values/places.ts";
import { create } from "../values/requests.ts";
import {
  type Cover,
  findCovers,
  hasPlace,
  isUnknown,
  keyParameterOf,
  type Shared,
} from "./covers.ts";
import { judgeKey, NOT_LET_IN } from "./hidden-key.ts";
import { isWanted, type Law, unchecked, type Verdicts } from "./law.ts";
import { toSteady } from "./same-as.ts";
import { findThing, type Sought } from "./things.ts";

export const perCallerLaw: Law<"perCaller"> = {
  cost: 8,
  needs: ({ made }) => (made === undefined ? ["second caller"] : ["second caller", "write"]),
  judge: async function* judge(rule, operation, run) {
    const { second } = run.callers;
    if (second === undefined) return;
    const shared = { rule, operation, second };
    const made = rule.made === undefined ? undefined : await create(run, rule.made);
    if (typeof made === "string") {
      yield unchecked("perCaller", made);
      return;
    }
    const covers = await findCovers(run, shared);
    if (isUnknown(covers)) {
      // If the operation is the list of callers itself, rows of others break the rule.
      const { why, answer } = covers;
      yield answer?.operation.id === operation.id
        ? { clause: "perCaller.hidden", answer, witness: "rows of others", fault: why }
        : unchecked("perCaller", `it cannot be told what the second caller may see: ${why}`);
      return;
    }
    const parameter = keyParameterOf(run, operation);
    const isList = run.listInfo(operation.id) !== undefined;
    if (isList && (parameter === undefined || rule.between !== "covered"))
      yield* judgeList(run, shared, { made: made?.key, covers });
    if (parameter !== undefined)
      yield* judgeThings(run, shared, { made: made?.key, covers, parameter });
  },
};

interface Known {
  /** The key of a thing that the first caller created. */
  readonly made: unknown;
  readonly covers: readonly Cover[];
}

async function* judgeThings(
  run: Run,
  shared: Shared,
  { made, covers, parameter }: Known & { readonly parameter: Parameter },
): Verdicts {
  const { rule, operation, second } = shared;
  if (made === undefined && !run.isRead(operation.id)) {
    yield unchecked(
      "perCaller",
      "only what the check has made is tried with what writes: name made",
    );
    return;
  }
  const isCovered = rule.between === "covered";
  const isKnown = isCovered || made !== undefined;
  const sought = {
    operation,
    parameter,
    covers: isKnown ? covers : [await findShown(run, shared, parameter.name)],
  };
  if (isWanted(rule, "hidden") || isWanted(rule, "as-unknown")) {
    const key = made ?? (await findThing(run, { ...sought, hiddenBy: rule }))?.key;
    if (key === undefined)
      yield unchecked("perCaller.hidden", "nothing was found that the second caller must not see");
    else yield* judgeKey(run, shared, { parameter, key, isMade: made !== undefined });
  }
  if (isCovered && run.isRead(operation.id) && isWanted(rule, "seen"))
    yield* judgeSeen(run, second, sought);
}

/** What the list of keys shows the second caller. */
async function findShown(
  run: Run,
  { rule, operation: taker, second }: Shared,
  parameter: string,
): Promise<Cover> {
  const { operation = "" } = sourceOf(run, taker, parameter) ?? {};
  const list = run.listInfo(operation) && (await findList(run, operation));
  const read = list && (await readAll(run, { operation, query: list.query, caller: second }));
  const seen = new Set(keysOf(run, operation, read?.rows ?? []));
  return {
    rule,
    isShownBy: (id) => read?.isWhole === true && id === operation,
    toTest: () => (row) => seen.has(keyOf(run, operation, row)),
  };
}

async function* judgeList(run: Run, shared: Shared, { made, covers }: Known): Verdicts {
  const { rule, operation, second } = shared;
  const list = await findList(run, operation.id);
  if (list === undefined) return;
  const tests = covers.map(({ toTest }) => toTest(operation.id));
  const wanted = list.rows.filter(
    (row) => rule.between !== "disjoint" && tests.every((test) => test(row)),
  );
  const mine = new Set(keysOf(run, operation.id, list.rows));
  const theirs = new Set(keysOf(run, operation.id, wanted));
  const isDisjoint = rule.between === "disjoint";
  const isHidden = (row: unknown) => {
    const key = keyOf(run, operation.id, row);
    const isMade = isDisjoint && key === JSON.stringify(made);
    // If the callers share nothing, a row that the first caller lacks is the second caller's own.
    return isMade || (!theirs.has(key) && (mine.has(key) || (list.isWhole && !isDisjoint)));
  };
  const page = run.ruleOf("page", operation.id);
  const sizes = page !== undefined && hasSize(page) ? [undefined, 2] : [undefined];
  for (const size of sizes) {
    const ask = { operation: operation.id, query: list.query, caller: second };
    const read = await readAll(run, ask, size === undefined ? {} : { size, most: 3 });
    const [answer] = read.answers;
    if (answer?.status === 401) yield NOT_LET_IN;
    if (answer === undefined || answer.status === 401) continue;
    const extra = read.rows.find(isHidden);
    const isTold =
      wanted.length < list.rows.length ||
      (rule.between === "subset" && read.isWhole && read.rows.length < list.rows.length);
    yield {
      clause: "perCaller.hidden",
      answer,
      witness: isTold && answer.isSuccess ? "a row of the first caller alone" : undefined,
      fault:
        extra === undefined
          ? undefined
          : `${show(extra)} comes to the second caller, and is not theirs`,
    };
    const isCovered = rule.between === "covered" && extra === undefined;
    if (isCovered && wanted.length > 0 && size === undefined)
      yield* judgeCovered(run, shared, { list, wanted, answer, rows: read.rows });
  }
}

interface Listed {
  readonly list: FoundList;
  /** The first caller's rows that the rights cover. */
  readonly wanted: readonly unknown[];
  readonly answer: Answer;
  readonly rows: readonly unknown[];
}

/** All rows that the rights cover are returned and counted. */
async function* judgeCovered(
  run: Run,
  { rule }: Shared,
  { list, wanted, answer, rows }: Listed,
): Verdicts {
  const { operation } = answer;
  if (!answer.isSuccess) {
    const fault = `what the second caller may see is answered ${answer.status}`;
    yield { clause: "perCaller.seen", answer, witness: "a row of both", fault };
    return;
  }
  const { caller: _second, ...ask } = answer.ask;
  const theirs = new Set(keysOf(run, operation.id, rows));
  const isPaged = run.ruleOf("page", operation.id) !== undefined;
  // No rule describes the paging: a page as full as the first caller's may be incomplete.
  const page = isPaged ? list.rows.length : rowsOf(run, await run.ask(ask)).length;
  const isCut = page < list.rows.length && rows.length >= page;
  const lost = wanted.find((row) => !theirs.has(keyOf(run, operation.id, row)));
  yield {
    clause: "perCaller.seen",
    answer,
    witness: "a row of both",
    fault:
      lost === undefined || isCut || !list.isWhole
        ? undefined
        : `${show(lost)} does not come to the second caller, and is theirs`,
  };
  const { total: place } = rule;
  if (place === undefined || !list.isWhole) return;
  if (headerOf(place) === undefined && !hasPlace(run, operation.id, place)) {
    yield unchecked("perCaller.counted", `${operation.id} has no ${place}`);
    return;
  }
  const total = totalOf(answer, place);
  const fault = `${place} is ${show(total)} for the second caller, and ${wanted.length} rows are theirs`;
  yield {
    clause: "perCaller.counted",
    answer,
    witness: "a total",
    fault: total === wanted.length ? undefined : { at: place, fault },
  };
}

/** The second caller gets the same response as the first for a thing that both may see. */
async function* judgeSeen(run: Run, second: Caller, sought: Sought): Verdicts {
  const found = await findThing(run, sought);
  if (found === undefined) {
    yield unchecked("perCaller.seen", "nothing was found that the second caller may see");
    return;
  }
  const { mine, key } = found;
  const ask = { operation: sought.operation.id, caller: second };
  const answer = await run.ask(withKey(ask, sought.parameter, key));
  const isSame =
    answer.status === mine.status &&
    (mine.json === undefined
      ? answer.sha256 === mine.sha256
      : isDeepStrictEqual(toSteady(run, answer.json), toSteady(run, mine.json)));
  const told = `what both may see is answered ${answer.status} to the second caller, not as to the first one`;
  const fault = isSame ? undefined : told;
  yield { clause: "perCaller.seen", answer, witness: "something of both", fault };
}
