// The verdict of a run, which is never green by mistake, and the sentence that says what it speaks of.
import { SAFE_METHODS } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { Cell } from "../laws/law.ts";
import type { Rule } from "../relations/kinds.ts";
import type { ApiReport, UnseenOperation } from "../report.ts";
import type { Run } from "../run.ts";
import { type Collected, toRequirement } from "./collect.ts";

interface Summed {
  readonly run: Run;
  readonly cells: readonly Cell[];
  /** Those of which a clause was seen at work. */
  readonly proved: ReadonlySet<Cell>;
  readonly collected: Collected;
  /** Why the check ended early. */
  readonly reason: string | undefined;
  readonly isAnswered: boolean;
  readonly floor: number | undefined;
  /** Operations that were left out on purpose. */
  readonly without: readonly string[];
}

const DEFAULT_FLOOR = 0.6;

export function toVerdict(
  summed: Summed,
): Pick<ApiReport, "verdict" | "reason" | "headline" | "unseen" | "operations"> {
  const { collected, run, isAnswered, without } = summed;
  const unseen = listUnseen(run, { without, collected });
  const reason = findReason(summed, unseen);
  const verdict =
    isAnswered && collected.findings.length > 0
      ? "drift"
      : reason === undefined
        ? "kept"
        : "unable";
  const operations = { seen: run.succeeded.size, of: run.document.operations.size };
  return {
    verdict,
    ...(reason !== undefined && { reason }),
    headline: toHeadline(summed, operations),
    unseen,
    operations,
  };
}

function findReason(
  { run, cells, proved, collected, reason, isAnswered, floor = DEFAULT_FLOOR }: Summed,
  unseen: readonly UnseenOperation[],
): string | undefined {
  if (reason !== undefined) return reason;
  if (!isAnswered) return "nothing was answered";
  const silent = unseen.filter((one) => !one.isExcused);
  if (silent.length > 0)
    return `no success was seen of ${silent.map(({ operation, why }) => `${operation} (${why})`).join(", ")}. Say under values of the relations where values of its parameters come from, or leave it out with --without`;
  const excused = new Set(unseen.map(({ operation }) => operation)); // the silent ones ended it above
  const asked = cells.filter(
    ({ needs, operation }) =>
      !excused.has(operation.id) && (run.mayWrite || !needs.includes("write")),
  );
  if (
    asked.some(({ needs }) => needs.includes("second caller")) &&
    run.callers.second === undefined
  )
    return "perCaller needs a second caller: give one, or leave it out with --without perCaller";
  const bare = asked.find(
    (cell) =>
      cell.rule !== undefined &&
      cell.rule.level !== "observe" &&
      !proved.has(cell) &&
      !isExcused(cell, run),
  );
  if (bare?.rule !== undefined)
    return `${bare.law} of ${bare.operation.id} (${placeOf(bare.rule)}) had nothing to be checked on: ${whyOf(bare, collected)}`;
  const possible = asked.length;
  const made = asked.filter((cell) => proved.has(cell) || isExcused(cell, run)).length;
  if (possible > 0 && made / possible < floor)
    return `only ${made} of ${possible} checks could be made; the floor is ${Math.round(floor * 100)}%`;
  return undefined;
}

const placeOf = ({ place: { file, line } }: Rule): string => `${file}:${line}`;

function whyOf({ clauses, rule, operation }: Cell, { skipped }: Collected): string {
  const names = new Set(clauses.map((clause) => toRequirement(clause, rule)));
  return (
    skipped.find((one) => names.has(one.requirement) && one.operation === operation.id)?.why ??
    "no value was found"
  );
}

/** An empty list proves nothing, but it is what the service has. */
function isExcused({ operation, rule }: Cell, run: Run): boolean {
  const lists = [operation.id, rule?.kind === "sameAs" ? rule.as : undefined];
  return lists.some((id) => id !== undefined && isEmpty(run, id));
}

function isEmpty(run: Run, id: string): boolean {
  const list = run.found.lists.get(id);
  return list !== undefined && list.isWhole && list.rows.length === 0;
}

function listUnseen(
  run: Run,
  { without, collected }: Pick<Summed, "without" | "collected">,
): UnseenOperation[] {
  const { operations } = run.document;
  return [...operations.values()]
    .filter(({ id }) => !run.succeeded.has(id))
    .map((operation) =>
      without.includes(operation.id)
        ? { operation: operation.id, why: "left out by --without", isExcused: true }
        : toUnseen(run, operation, collected),
    );
}

function toUnseen(
  run: Run,
  { id, method, parameters }: Operation,
  { skipped }: Collected,
): UnseenOperation {
  const isReading = SAFE_METHODS.has(method) || run.relations.safe.includes(id);
  if (!isReading && !run.mayWrite) return { operation: id, why: "needs --write", isExcused: true };
  // What is found by a key of an empty list cannot be there either.
  const sources = parameters
    .filter((one) => one.in === "path")
    .map(({ name }) => run.relations.values[name]?.split("#", 1)[0]);
  const empty = sources.find((source) => source !== undefined && isEmpty(run, source));
  if (empty !== undefined) return { operation: id, why: `${empty} is empty`, isExcused: true };
  if (
    sources.some(
      (source) =>
        source !== undefined &&
        !run.mayWrite &&
        !SAFE_METHODS.has(run.document.operations.get(source)?.method ?? "GET"),
    )
  )
    return { operation: id, why: "needs --write", isExcused: true };
  const why =
    method === "DELETE"
      ? "nothing that the check created could be deleted by it"
      : (skipped.find((one) => one.requirement === "answer.success" && one.operation === id)?.why ??
        "every right request was refused");
  return { operation: id, why, isExcused: false };
}

function toHeadline({ collected, run }: Summed, { seen, of }: ApiReport["operations"]): string {
  const { kept, skipped } = collected;
  const empty = [...run.found.lists.keys()].filter((id) => isEmpty(run, id));
  const lacking =
    empty.length === 0
      ? ""
      : ` As far as an empty list shows: ${empty.join(", ")} had no row to check on.`;
  return `Kept: ${kept.length} clauses at ${seen} of ${of} operations, each seen at work. Not checked: ${skipped.length}.${lacking}`;
}
