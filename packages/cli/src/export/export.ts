// An export as its commands see it: a folder and what it is to hold, brought to its end, proved and told.
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  countDays,
  createFailureList,
  createFileCount,
  type Exporter,
  type FailureGroup,
  listMasked,
  toReport,
} from "@call-media/handover";
import type { ParsedTarget } from "../access/target.ts";
import { UsageError } from "../failures/usage-error.ts";
import { isReadableByOthers, makeFolder } from "../files/owner-only.ts";
import { console, io } from "../io.ts";
import { toArchiveZone } from "../search/archive-zone.ts";
import { createUnreadable } from "../search/where/unreadable.ts";
import { createPace, type PaceOptions } from "./asking/pace.ts";
import { tryAgain } from "./asking/passing.ts";
import { toFolderReason } from "./failure.ts";
import { type ExportFolder, syncFolder } from "./folder/files.ts";
import { withLock } from "./folder/lock.ts";
import { createTally } from "./item/tally.ts";
import { watchMemory } from "./memory.ts";
import { type Asked, countRecords, findEndDate, readSearchHeaders, toSpan } from "./plan/days.ts";
import type { PlanPlace } from "./plan/export-plan.ts";
import { listOpenRounds, type Plan, readPlan, writePlan } from "./plan/plan.ts";
import { toCounted } from "../terminal/counted.ts";
import { type Goal, showProgress } from "./progress.ts";
import { findExporter } from "./proof/exporter.ts";
import { writeOutputs } from "./proof/outputs.ts";
import { writeReport, type WrittenReport } from "./proof/report.ts";
import { runRounds } from "./run.ts";
import { renewPlan } from "./windows/renewed-plan.ts";
import { createAsking, createWork, type Work } from "./windows/work.ts";

export interface ExportOptions {
  readonly folder: ExportFolder;
  readonly target: ParsedTarget;
  readonly limits: PaceOptions;
  /** Ctrl-C. */
  readonly interrupt: AbortSignal;
  /** The plan to carry out, made of the one that the folder has. */
  readonly toPlan: (there: Plan | undefined, place: PlanPlace) => Plan;
  /** The zip that the folder is packed into in the end. */
  readonly bundle?: string | undefined;
}

/** What an export has come to. */
export interface Carried extends WrittenReport {
  /** Files that could not be had, as many as are shown. */
  readonly failures: readonly FailureGroup[];
}

/**
 * Carries the plan out, and writes metadata, manifest and report. Nobody else works in the folder meanwhile.
 *
 * @throws UsageError where the folder is not for this; whatever ended the run: then it can be gone on with.
 */
export async function carryOut(options: ExportOptions): Promise<Carried> {
  const { folder, target, toPlan } = options;
  const place: PlanPlace = {
    path: folder.path,
    baseUrl: target.target.baseUrl,
    isOldestFirst: target.service?.order === "oldest-first",
  };
  // What is somebody else's is found before anything is written.
  toPlan(await readPlan(folder), place);
  await makeStateFolder(folder);
  const memory = watchMemory();
  return await withLock(folder, options.interrupt, async (interrupt) => {
    const planned = toPlan(await readPlan(folder), place);
    await makeFolder(folder.journals);
    await makeFolder(folder.parts);
    const plan = await renewPlan(folder, planned);
    await writePlan(folder, plan);
    const isRepair = listOpenRounds(planned).length === 0;
    return await finish(folder, await fetchAll({ ...options, interrupt, isRepair }, plan));
  }).finally(memory.end);
}

async function makeStateFolder({ path, lock }: ExportFolder): Promise<void> {
  const state = dirname(lock);
  await makeFolder(state).catch((error: Error) => {
    throw new UsageError(`nothing can be written in ${path}: ${toFolderReason(error)}`, {
      cause: error,
    });
  });
  if (isReadableByOthers(state))
    console.error(`others may read what comes into ${path}, as on a disk without permissions`);
}

interface Fetched {
  /** With what was found out about the service. */
  readonly plan: Plan;
  readonly exportedBy: Exporter;
}

async function fetchAll(
  options: ExportOptions & Pick<Work, "isRepair">,
  planned: Plan,
): Promise<Fetched> {
  const { folder, interrupt, target, isRepair } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([interrupt, stopping.signal]);
  const pace = createPace({ ...options.limits, signal });
  const toAsked = createAsking(target, { pace, signal });
  const first = toAsked(planned);
  const exportedBy = await findExporter(first, target, planned);
  const hasSheet = planned.format === "xlsx" || options.bundle !== undefined;
  const plan = await findOut(first, planned, { ...target, hasSheet });
  if (plan !== planned) await writePlan(folder, plan);
  let fault: unknown;
  const stop = (error: unknown) => {
    fault ??= error;
    stopping.abort(error);
  };
  const tally = createTally();
  const asked = toAsked(plan);
  const unreadable = createUnreadable();
  const order = { folder, plan, target, isRepair, onUnreadable: unreadable.add };
  const work = createWork(order, { asked, pace, signal, tally, stop });
  const progress = showProgress(io().stderr, tally.count, await toGoal(asked, plan));
  await runRounds(work)
    .then(() => tryFailedAgain(work))
    .finally(progress.end);
  unreadable.tell();
  // Whatever was under way then failed because of it.
  interrupt.throwIfAborted();
  if (fault !== undefined) throw fault;
  return { plan, exportedBy };
}

/** What failed may go well a while later: it is tried once more, all of it, before anybody is told that it is missing. */
async function tryFailedAgain(work: Work): Promise<void> {
  const { tally, signal } = work;
  if (tally.failed === 0 || signal.aborted) return;
  console.error(`trying ${toCounted(tally.failed, "file")} that failed once more`);
  await runRounds({ ...work, tally: createTally({ maxFailedInARow: Infinity }), isLastTry: true });
}

/** Asked once for a folder: were the answer another one later, its days would not fit together. */
async function findOut(
  asked: Asked,
  plan: Plan,
  { service, hasSheet }: ParsedTarget & { readonly hasSheet: boolean },
): Promise<Plan> {
  const open = listOpenRounds(plan);
  if (open.length === 0) return plan;
  const span = toSpan(open);
  const endDate = plan.endDate ?? (await tryAgain(() => findEndDate(asked, span))) ?? null;
  const isAsked = hasSheet && plan.archiveTimeZone === null;
  const headers = isAsked ? await tryAgain(() => readSearchHeaders(asked, span)) : undefined;
  const archiveTimeZone =
    plan.archiveTimeZone ?? (isAsked ? toArchiveZone(headers, service) : undefined) ?? null;
  const isSame = endDate === plan.endDate && archiveTimeZone === plan.archiveTimeZone;
  return isSame ? plan : { ...plan, endDate, archiveTimeZone };
}

async function toGoal(asked: Asked, plan: Plan): Promise<Goal> {
  const open = listOpenRounds(plan);
  const days = open.reduce((total, round) => total + countDays(round), 0);
  if (open.length === 0) return { rows: undefined, days };
  return { rows: await tryAgain(() => countRecords(asked, toSpan(open))), days };
}

async function finish(folder: ExportFolder, { plan, exportedBy }: Fetched): Promise<Carried> {
  const files = createFileCount();
  const failures = createFailureList();
  const { warning, ...outputs } = await writeOutputs(folder, plan, (entry) => {
    files.add(entry);
    failures.add(entry);
  });
  if (warning !== undefined) console.error(`Warning: ${outputs.metadata.file}: ${warning}`);
  const report = toReport(
    { ...plan, ...toSpan(plan.rounds), redacted: listMasked(plan) },
    exportedBy,
    { ...outputs, files: files.read() },
  );
  const written = await writeReport(folder, report);
  for (const name of await readdir(folder.parts)) await rm(join(folder.parts, name));
  await writePlan(folder, {
    ...plan,
    rounds: plan.rounds.map((round) => ({ ...round, isDone: true })),
  });
  await syncFolder(folder.path);
  return { ...written, failures: failures.groups() };
}
