// Checks one service against its document and relations: finds values, sends the planned requests, confirms findings, builds the report.
import { SAFE_METHODS } from "./ask.ts";
import { toRequirement } from "./findings/collect.ts";
import { toVerdict } from "./findings/verdict.ts";
import { Ended } from "./http/sender.ts";
import type { Operation } from "./document/document.ts";
import type { Cell } from "./laws/law.ts";
import { type How, openRun, toSeed } from "./open-run.ts";
import { type CellSetting, performCell, survive, toBroken } from "./perform.ts";
import { budgetOf } from "./plan/budget.ts";
import { listCells } from "./plan/cells.ts";
import { successView } from "./relations/shape.ts";
import type { ApiCheck } from "./check.ts";
import type { ApiReport } from "./report.ts";
import type { Run } from "./run.ts";
import { findList } from "./values/lists.ts";
import { signIn } from "./sign-in.ts";

/** The share of the budget that is reserved to confirm findings. */
const HELD_BACK = 0.05;

/**
 * Checks over HTTP whether a service keeps its document and relations. Sends only reading requests, unless `mayWrite` is set; changes only
 * what it created itself.
 *
 * Never rejects because of the service or an error of the kit. The report says if the service cannot be reached, hangs or returns
 * nonsense. It also lists what could not be judged.
 */
export async function checkApi(check: ApiCheck): Promise<ApiReport> {
  return performCheck(check, { seed: toSeed(), isReplay: false });
}

export async function performCheck(
  check: ApiCheck,
  { seed, isReplay, onCallers }: Omit<How, "maxRequests">,
): Promise<ApiReport> {
  const startedMs = performance.now();
  const { document, relations, target, options = {} } = check;
  const maxRequests = options.maxRequests ?? budgetOf(document);
  const opened = openRun(check, { seed, isReplay, maxRequests });
  const { run, collector, instance, isAsked } = opened;
  const cells = listCells(document, relations, { ...options, instance });
  const [proved, idle] = [new Set<Cell>(), new Set<Cell>()];
  const setting = { run, collector, proved, idle, maxRequests, isReplay };
  const find = async () => {
    checkAddress(target);
    await signIn(run, target);
    onCallers?.(run.callers);
    await (instance?.prepare(run, { target, isAsked }) ?? findLists(run));
  };
  const reason = await perform(cells, find, setting);
  const left = await opened.cleanUp();
  for (const observed of run.references) {
    const [operation = ""] = observed.split(" ", 1);
    collector.observe({ requirement: "answer.success", operation, observed });
  }
  const collected = collector.toCollected();
  const coverage = opened.toCoverage();
  const observed = instance?.toObserved() ?? { questions: [], profile: {} };
  const summed = toVerdict({
    instance,
    isAsked,
    coverage,
    run,
    cells,
    proved,
    idle,
    collected,
    reason: reason ?? opened.findSilence(),
    isAnswered: opened.isAnswered(),
    isEmptyOk: options.isEmptyOk ?? relations.isEmptyOk,
    floor: options.floor,
    without: options.without ?? [],
    baseUrl: target.baseUrl,
  });
  return opened.secrets.hideIn({
    baseUrl: target.baseUrl,
    against: instance?.against ?? document.file,
    ...summed,
    ...collected,
    // Without any response, no fault can be blamed on the service.
    findings: opened.isAnswered() ? collected.findings : [],
    questions: observed.questions,
    profile: { baseUrl: target.baseUrl.replace(/\/+$/, ""), ...observed.profile },
    notes: document.notes,
    left,
    coverage,
    requests: run.requests(),
    durationMs: Math.round(performance.now() - startedMs),
  });
}

function checkAddress({ baseUrl }: ApiCheck["target"]): void {
  const isHttp = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  if (!isHttp) throw new Ended(`${JSON.stringify(baseUrl)} is no HTTP address`, true);
}

interface Setting extends CellSetting {
  readonly maxRequests: number;
}

/** @returns why the check could not finish; undefined if it did. */
async function perform(
  cells: readonly Cell[],
  find: () => Promise<void>,
  setting: Setting,
): Promise<string | undefined> {
  const { run, collector, maxRequests } = setting;
  try {
    await find();
    let isCut = false;
    for (const cell of cells) {
      // Only a fault between responses needs further requests to be confirmed.
      const most = cell.isBetween ? maxRequests * (1 - HELD_BACK) : maxRequests;
      const isSpent = run.requests() >= most;
      isCut ||= isSpent;
      const why = isSpent
        ? `the budget of ${maxRequests} requests was used up before`
        : findLack(cell, run);
      const broken = why ?? (await survive(() => performCell(cell, setting)));
      if (broken !== undefined) skipCell(cell, broken, collector);
    }
    return isCut ? `the budget of ${maxRequests} requests is used up` : undefined;
  } catch (error) {
    return error instanceof Ended ? error.message : toBroken(error);
  }
}

function skipCell(
  { clauses, rule, operation }: Cell,
  why: string,
  collector: Setting["collector"],
): void {
  for (const clause of clauses)
    collector.skip({ requirement: toRequirement(clause, rule), operation: operation.id }, why);
}

function findLack({ needs }: Cell, { mayWrite, callers }: Run): string | undefined {
  if (needs.includes("write") && !mayWrite) return "needs --write";
  return needs.includes("second caller") && callers.second === undefined
    ? "needs a second caller"
    : undefined;
}

/** True if only a response can show whether an operation returns a list: its schema does not say. */
function isVague({ document }: Run, operation: Operation): boolean {
  const { method, path, parameters } = operation;
  const view = successView(document, operation);
  const isTold = view === undefined || view.items !== undefined || view.properties.size > 0;
  return (
    method === "GET" && !isTold && !path.includes("{") && !parameters.some((one) => one.required)
  );
}

/** Lists that need no values from other lists first. */
export async function findLists(run: Run): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const operation of run.document.operations.values()) {
      const { id, method } = operation;
      const isRead = SAFE_METHODS.has(method) || run.relations.safe.includes(id);
      if (!isRead || (run.found.lists.get(id)?.rows.length ?? 0) > 0) continue;
      if (round === 0 && isVague(run, operation)) await survive(() => run.ask({ operation: id }));
      if (run.listInfo(id) !== undefined) await survive(() => findList(run, id));
    }
}
