// Runs one cell and reports the verdicts of its law. A fault between responses is reported only if it occurs twice.
import { type Collector, toRequirement } from "./findings/collect.ts";
import { toFingerprint } from "./fingerprint.ts";
import { Ended } from "./http/sender.ts";
import type { Cell, Judgement, Unchecked } from "./laws/law.ts";
import type { Run } from "./run.ts";
import { findList, keysOf } from "./values/lists.ts";

export interface CellSetting {
  readonly run: Run;
  readonly collector: Pick<Collector, "judge" | "skip" | "observe">;
  /** Cells with at least one clause that was exercised. */
  readonly proved: Set<Cell>;
  /** Cells in which there was nothing to check, such as the input of an operation that has none. */
  readonly idle: Set<Cell>;
  /** Responses come from a recording, so a repetition would show the same. */
  readonly isReplay: boolean;
}

/** A request without a response, or an error of the kit itself, ends only its own work. The next request may succeed. */
export async function survive(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Ended)) return toBroken(error);
    if (error.isFinal) throw error;
    return error.message;
  }
}

/** Only the first line of the error: the rest is the stack within the kit. */
export const toBroken = (error: unknown): string =>
  `could not be judged: ${String(error).split("\n", 1).join("")}`;

type Verdict = Judgement | Unchecked;

const isJudged = (verdict: Verdict): verdict is Judgement => "answer" in verdict;

/** A fault between responses must occur twice, the second time with fresh responses: data may have changed in between. */
export async function performCell(cell: Cell, setting: CellSetting): Promise<void> {
  const { run, collector } = setting;
  const first = await judgeCell(cell, run);
  if (first.some((verdict) => isJudged(verdict) && verdict.witness !== undefined))
    setting.proved.add(cell);
  if (first.length === 0) setting.idle.add(cell);
  const hasFault = first.some((verdict) => toPrint(cell, verdict).length > 0);
  if (!cell.isBetween || !hasFault || setting.isReplay) return report(cell, first, collector);
  const before = knownKeys(run, cell);
  run.forget();
  const second = await judgeCell(cell, run, isSeenAgain(cell, first));
  const hasMoved = !cell.needs.includes("write") && (await hasGrown(run, cell, before));
  const again = new Set(second.flatMap((verdict) => toPrint(cell, verdict)));
  const isLasting = (verdict: Verdict) =>
    toPrint(cell, verdict).every((print) => again.has(print) && !hasMoved);
  report(cell, first.filter(isLasting), collector);
  const judgedAgain = new Set(second.filter(isJudged).map(({ clause }) => clause));
  for (const verdict of first) {
    if (isLasting(verdict) || !isJudged(verdict)) continue;
    const { fault, clause } = verdict;
    if (!judgedAgain.has(clause)) {
      setting.proved.delete(cell);
      const requirement = toRequirement(clause, cell.rule);
      collector.skip({ requirement, operation: cell.operation.id }, toUnsettled(verdict));
    }
    const observed = `${hasMoved ? "rows came in meanwhile" : "seen once and not again"}: ${typeof fault === "object" ? fault.fault : String(fault)}`;
    collector.observe({ requirement: verdict.clause, operation: cell.operation.id, observed });
  }
}

const toUnsettled = ({ fault }: Judgement): string =>
  `a fault was seen, and could not be looked at a second time: ${typeof fault === "object" ? fault.fault : String(fault)}`;

/** True when all faults have occurred again, so that judging can stop. Cells that write continue, because their end cleans up. */
function isSeenAgain(cell: Cell, first: readonly Verdict[]): (verdict: Verdict) => boolean {
  const left = new Set(first.flatMap((verdict) => toPrint(cell, verdict)));
  return (verdict) => {
    for (const print of toPrint(cell, verdict)) left.delete(print);
    return left.size === 0 && !cell.needs.includes("write");
  };
}

/** The keys of the rows that a cell compares with, as far as they are known. */
function knownKeys(run: Run, cell: Cell): ReadonlySet<string> {
  const id = listOf(cell);
  return new Set(keysOf(run, id, run.found.lists.get(id)?.rows ?? []));
}

const listOf = ({ operation, rule }: Cell): string =>
  rule?.kind === "sameAs" ? rule.as : operation.id;

/** True if a list has new rows although nothing was written. */
async function hasGrown(run: Run, cell: Cell, before: ReadonlySet<string>): Promise<boolean> {
  if (before.size === 0) return false;
  const id = listOf(cell);
  run.forget();
  const list = await findList(run, id);
  return keysOf(run, id, list?.rows ?? []).some((key) => !before.has(key));
}

function toPrint({ rule }: Cell, verdict: Verdict): string[] {
  if (!isJudged(verdict) || verdict.fault === undefined) return [];
  // Observations are not worth a repetition.
  if ((verdict.level ?? rule?.level ?? "must") !== "must") return [];
  const { clause, answer, fault } = verdict;
  return [
    toFingerprint({
      requirement: toRequirement(clause, rule),
      operation: answer.operation.id,
      fault,
    }),
  ];
}

async function judgeCell(
  cell: Cell,
  run: Run,
  isEnough: (verdict: Verdict) => boolean = () => false,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const broken = await survive(async () => {
    for await (const verdict of cell.judge(run)) {
      verdicts.push(verdict);
      if (isEnough(verdict)) break;
    }
  });
  if (broken !== undefined)
    verdicts.push(...cell.clauses.map((clause) => ({ clause, why: broken })));
  return verdicts;
}

function report(
  { rule, operation, clauses }: Cell,
  verdicts: readonly Verdict[],
  collector: CellSetting["collector"],
): void {
  for (const verdict of verdicts) {
    if (isJudged(verdict)) {
      const [, name = ""] = verdict.clause.split(".", 2);
      if (rule?.only?.includes(name) ?? true) collector.judge(verdict, rule);
      continue;
    }
    const { clause, why } = verdict;
    // A clause without a dot is the complete law, which found nothing to check.
    const named = clause.includes(".") ? [clause] : clauses;
    for (const one of named)
      collector.skip({ requirement: toRequirement(one, rule), operation: operation.id }, why);
  }
}
