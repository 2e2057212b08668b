// The verdict of a run, which is never green by mistake, and the sentence that states its scope.
import type { Operation } from "../document/document.ts";
import type { Instance } from "../instance.ts";
import type { Cell } from "../laws/law.ts";
import type { Rule } from "../relations/kinds.ts";
import type { ApiCoverage, ApiReport, UnseenOperation } from "../report.ts";
import type { Run } from "../run.ts";
import { NOTHING_OWN } from "../own.ts";
import { isFailing } from "../rules/success.ts";
import { type Collected, toRequirement } from "./collect.ts";

interface Summed {
  readonly instance: Instance | undefined;
  readonly isAsked: (operation: string) => boolean;
  readonly run: Run;
  readonly cells: readonly Cell[];
  /** Cells with at least one clause that was exercised. */
  readonly proved: ReadonlySet<Cell>;
  /** Cells in which there was nothing to check. */
  readonly idle: ReadonlySet<Cell>;
  readonly collected: Collected;
  readonly coverage: ApiCoverage;
  /** Why the check ended early. */
  readonly reason: string | undefined;
  readonly isAnswered: boolean;
  /** Accept lists without rows. */
  readonly isEmptyOk: boolean;
  readonly baseUrl: string;
  readonly floor: number | undefined;
  /** Operations that the caller excluded. */
  readonly without: readonly string[];
}

const DEFAULT_FLOOR = 0.6;

export function toVerdict(
  summed: Summed,
): Pick<ApiReport, "verdict" | "reason" | "headline" | "unseen" | "operations"> {
  const { collected, run, isAnswered } = summed;
  const unseen = listUnseen(summed);
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

function findReason(summed: Summed, unseen: readonly UnseenOperation[]): string | undefined {
  const { run, cells, proved, idle, collected, reason, baseUrl, instance } = summed;
  // The relations of an instance are for any of its services, and not each has something for every rule.
  const { floor = instance === undefined ? DEFAULT_FLOOR : 0 } = summed;
  if (reason !== undefined) return reason;
  if (!summed.isAnswered) return `nothing was asked of ${baseUrl}, or answered`;
  const silent = unseen.filter((one) => !one.isExcused);
  const told = silent.map(({ operation, why }) => `${operation} (${why})`).join(", ");
  if (!silent.every(isBare))
    return `no success was seen of ${told} at ${baseUrl}${instance === undefined ? ". Say under values of the relations where values of its parameters come from, give its body with --body, or leave it out with --without" : ""}`;
  if (silent.length > 0)
    return `nothing was there to look at: ${told} at ${baseUrl}. If that is as it should be, say --empty-ok`;
  const excused = new Set(unseen.map(({ operation }) => operation)); // the silent ones ended it above
  const isMade = (cell: Cell) => proved.has(cell) || isExcused(cell, summed);
  const asked = cells.filter(
    ({ needs, operation }) =>
      !excused.has(operation.id) && (run.mayWrite || !needs.includes("write")),
  );
  if (
    instance === undefined &&
    asked.some(({ needs }) => needs.includes("second caller")) &&
    run.callers.second === undefined
  )
    return "perCaller needs a second caller, other than the first: give one, or leave it out with --without perCaller";
  // A rule must be checked, even if the run could use only things of others.
  const ruled = cells.filter(
    (cell) => asked.includes(cell) || (run.mayWrite && run.own.isOutOfReach(cell.operation)),
  );
  const bare = ruled.find(
    (cell) => cell.rule !== undefined && cell.rule.level !== "observe" && !isMade(cell),
  );
  if (bare?.rule !== undefined && instance === undefined)
    return `${bare.law} of ${bare.operation.id} (${placeOf(bare.rule)}) had nothing to be checked on: ${whyOf(bare, collected)}`;
  const possible = asked.filter((cell) => !idle.has(cell));
  const made = possible.filter(isMade).length;
  if (made === 0 || collected.kept.length === 0) return `nothing was looked at, at ${baseUrl}`;
  if (made / possible.length < floor)
    return `only ${made} of ${possible.length} checks could be made; the floor is ${Math.round(floor * 100)}%`;
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

export const EMPTY = "had no row";
const isBare = ({ why }: UnseenOperation): boolean => why.endsWith(EMPTY);

/** An empty list proves nothing, but the service may really be empty. */
function isExcused({ operation, rule }: Cell, { run, isEmptyOk }: Summed): boolean {
  const lists = [operation.id, rule?.kind === "sameAs" ? rule.as : undefined];
  return isEmptyOk && lists.some((id) => id !== undefined && isEmpty(run, id));
}

/** True if a list was read and never had a row. */
const isEmpty = ({ found, filled }: Run, id: string): boolean =>
  found.lists.has(id) && !filled.has(id);

function listUnseen(summed: Summed): UnseenOperation[] {
  const { run, without, isEmptyOk, instance, isAsked } = summed;
  if (instance !== undefined)
    return instance.listUnseen(run, isAsked).filter((one) => !isEmptyOk || !isBare(one));
  return [...run.document.operations.values()].flatMap((operation) => {
    const { id } = operation;
    if (!isAsked(id) && !without.includes(id))
      return run.succeeded.has(id)
        ? []
        : [{ operation: id, why: "left out by --only", isExcused: true }];
    if (run.succeeded.has(id))
      return isEmpty(run, id) && !isEmptyOk && !without.includes(id)
        ? [{ operation: id, why: `it ${EMPTY}`, isExcused: false }]
        : [];
    return without.includes(id)
      ? [{ operation: id, why: "left out by --without", isExcused: true }]
      : [toUnseen(summed, operation)];
  });
}

function toUnseen(
  { run, collected: { skipped }, isEmptyOk }: Summed,
  operation: Operation,
): UnseenOperation {
  const { id, method, parameters } = operation;
  if (isFailing(operation))
    return { operation: id, why: "the document says that it always fails", isExcused: true };
  if (!run.own.isReading(operation) && !run.mayWrite)
    return { operation: id, why: "needs --write", isExcused: true };
  // A thing found by a key of an empty list cannot exist either.
  const sources = parameters
    .filter((one) => one.in === "path")
    .map(({ name }) => run.sources.of(operation, name)?.operation);
  const empty = sources.find((source) => source !== undefined && isEmpty(run, source));
  if (empty !== undefined) return { operation: id, why: `${empty} ${EMPTY}`, isExcused: isEmptyOk };
  if (
    sources.some(
      (source) =>
        source !== undefined &&
        !run.mayWrite &&
        run.document.operations.has(source) &&
        !run.isRead(source),
    )
  )
    return { operation: id, why: "needs --write", isExcused: true };
  if (run.own.isOutOfReach(operation)) return { operation: id, why: NOTHING_OWN, isExcused: true };
  const why =
    method === "DELETE"
      ? "nothing that the check created could be deleted by it"
      : (skipped.find((one) => one.requirement === "answer.success" && one.operation === id)?.why ??
        "every right request was refused");
  return { operation: id, why, isExcused: false };
}

function toHeadline(
  { collected, run, coverage }: Summed,
  { seen, of }: ApiReport["operations"],
): string {
  const { kept, skipped } = collected;
  const empty = [...run.found.lists.keys()].filter((id) => isEmpty(run, id));
  const lacking =
    empty.length === 0
      ? ""
      : ` As far as an empty list shows: ${empty.join(", ")} had no row to check on.`;
  return `Kept: ${kept.length} clauses at ${seen} of ${of} operations, each seen at work. Not checked: ${skipped.length}.${toBare(coverage)}${lacking}`;
}

/** A field that always has the same value cannot be distinguished from a wrong one. */
const toBare = ({ fields: { seen, of } }: ApiCoverage): string =>
  seen === of ? "" : ` ${of - seen} of ${of} fields never had two values.`;
