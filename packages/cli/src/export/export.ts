// Exports calls into a folder: plan, files, metadata, manifest, report.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  countDays,
  createFailureList,
  createFileCount,
  type FailureGroup,
  toReport,
} from "@call-media/handover";
import type { ParsedTarget } from "../access/target.ts";
import { console, toCounted, toProgressOutput, UsageError } from "@call-media/terminal";
import { refuseLinks } from "./folder/links.ts";
import { isReadableByOthers, makeFolder } from "../files/written-files.ts";
import { createUnreadable } from "../search/unreadable.ts";
import { toFolderReason } from "./failure.ts";
import { type ExportFolder, toStateFolder } from "./folder/export-folder.ts";
import { withLock } from "./folder/lock.ts";
import { syncFolder } from "./folder/write.ts";
import { writeZip, type Zip } from "./hand-over/hand-over.ts";
import { type Fetched, openSource } from "./hand-over/source.ts";
import { listJournals } from "./journal/journal.ts";
import { createJob, createSearching, type Job } from "./job.ts";
import { watchMemory } from "./memory.ts";
import type { PlanPlace } from "./plan/export-plan.ts";
import { listOpenRounds, type Plan, readPlan, writePlan } from "./plan/plan.ts";
import {
  countRecords,
  findEndDate,
  findArchiveZone,
  type SearchContext,
  toSpan,
} from "./plan/search-days.ts";
import { type Goal, showProgress } from "./progress.ts";
import { findExporter } from "./proof/exporter.ts";
import { readSearched } from "./proof/searched.ts";
import { writeOutputs, writeReport, type WrittenReport } from "./proof/outputs.ts";
import { createTally } from "./tally.ts";
import { retry } from "./throttle/retry.ts";
import { createThrottle, type ThrottleOptions } from "./throttle/throttle.ts";
import { confirmPlan, reconcilePlan } from "./windows/reconcile-plan.ts";
import { runRounds } from "./windows/run-rounds.ts";

export interface ExportOptions {
  readonly folder: ExportFolder;
  readonly target: ParsedTarget;
  readonly limits: ThrottleOptions;
  /** Ctrl-C. */
  readonly interrupt: AbortSignal;
  /** Makes the plan from the existing plan of the folder. */
  readonly toPlan: (existing: Plan | undefined, place: PlanPlace) => Plan;
  /** True if days are searched again when their number of records differs from that of a finished search. */
  readonly isConfirming?: boolean;
  /** The zip to write at the end instead of the folder. */
  readonly handOver?: string | undefined;
}

export interface ExportResult extends WrittenReport {
  /** Groups of missing files, up to the number shown. */
  readonly failures: readonly FailureGroup[];
  /** The zip written instead of the folder. */
  readonly zip?: Zip;
}

/** @throws UsageError if the folder cannot be used, or the error that interrupted the run. Another run continues after it. */
export async function runExport(options: ExportOptions): Promise<ExportResult> {
  const { folder, target, toPlan } = options;
  const place: PlanPlace = {
    path: folder.path,
    baseUrl: target.target.baseUrl,
    isOldestFirst: target.service?.order === "oldest-first",
  };
  await refuseLinks(folder);
  // A folder with other content is rejected before anything is written.
  toPlan(await readPlan(folder), place);
  await makeStateFolder(folder);
  const memory = watchMemory();
  return await withLock(folder, options.interrupt, async (interrupt) => {
    const planned = toPlan(await readPlan(folder), place);
    await makeFolder(folder.journals);
    await makeFolder(folder.parts);
    const plan = await reconcilePlan(folder, planned);
    await writePlan(folder, plan);
    const isRepair = listOpenRounds(planned).length === 0;
    const journals = await listJournals(folder.journals, plan.isOldestFirst);
    const hasBegun = journals.some(({ round }) => planned.rounds[round]?.isDone === false);
    const running = { ...options, interrupt };
    const fetched = await fetchAll({ ...running, isRepair }, plan);
    const isContinued = options.isConfirming === true && hasBegun;
    const settled = isContinued ? await readWhatCameLate(running, fetched) : fetched;
    return await finish(folder, settled, running);
  }).finally(memory.end);
}

async function makeStateFolder(folder: ExportFolder): Promise<void> {
  const { path } = folder;
  const state = toStateFolder(folder);
  await makeFolder(state).catch((error: Error) => {
    throw new UsageError(`nothing can be written in ${path}: ${toFolderReason(error)}`, {
      cause: error,
    });
  });
  if (isReadableByOthers(state))
    console.info(`others may read ${path}: its disk keeps no permissions`);
}

async function fetchAll(
  options: ExportOptions & Pick<Job, "isRepair">,
  planned: Plan,
): Promise<Fetched> {
  const { folder, interrupt, target, isRepair } = options;
  const stopping = new AbortController();
  const signal = AbortSignal.any([interrupt, stopping.signal]);
  const throttle = createThrottle({ ...options.limits, signal });
  const toSearch = createSearching(target, { throttle, signal });
  const first = toSearch(planned);
  const exportedBy = await findExporter(first, target, planned);
  const confirmed = options.isConfirming ? await confirmPlan(first, folder, planned) : planned;
  const plan = await completePlan(first, confirmed);
  if (plan !== planned) await writePlan(folder, plan);
  let fault: unknown;
  const stop = (error: unknown) => {
    fault ??= error;
    stopping.abort(error);
  };
  const unreadable = createUnreadable();
  const shared = { folder, plan, search: toSearch(plan), throttle, signal, stop, isRepair };
  const by = exportedBy;
  const tally = createTally();
  const job = createJob({ ...shared, by, tally, onUnreadable: unreadable.add });
  const progress = showProgress(toProgressOutput(), tally.count, await toGoal(job.search, plan));
  await runRounds(job)
    .then(() => retryFailed(job))
    .finally(progress.end);
  unreadable.tell();
  // An interrupt makes requests fail, so it is the reason to report.
  interrupt.throwIfAborted();
  if (fault !== undefined) throw fault;
  return { plan, exportedBy };
}

/** Days finished by an earlier run may have changed since: they are counted again, and read again if the count differs. */
async function readWhatCameLate(options: ExportOptions, fetched: Fetched): Promise<Fetched> {
  const { folder, interrupt, target, limits } = options;
  const rounds = fetched.plan.rounds.map((round) => ({ ...round, isDone: true }));
  const done = { ...fetched.plan, rounds };
  const throttle = createThrottle({ ...limits, signal: interrupt });
  const search = createSearching(target, { throttle, signal: interrupt })(done);
  const confirmed = await confirmPlan(search, folder, done);
  if (confirmed === done) return fetched;
  await writePlan(folder, confirmed);
  return await fetchAll({ ...options, isConfirming: false, isRepair: false }, confirmed);
}

/** Tries failed files again after all others, before any is reported as missing. */
async function retryFailed(job: Job): Promise<void> {
  const { tally, signal } = job;
  if (tally.failed === 0 || signal.aborted) return;
  console.info(`trying ${toCounted(tally.failed, "file")} that failed once more`);
  await runRounds({ ...job, tally: createTally({ maxFailedInARow: Infinity }), isLastTry: true });
}

/** Determines fixed properties of the service: all days of a folder must be searched in the same way. */
async function completePlan(search: SearchContext, plan: Plan): Promise<Plan> {
  const open = listOpenRounds(plan);
  if (open.length === 0) return plan;
  const span = toSpan(open);
  const endDate = plan.endDate ?? (await retry(() => findEndDate(search, span))) ?? null;
  const archiveTimeZone =
    plan.archiveTimeZone ?? (await retry(() => findArchiveZone(search, span))) ?? null;
  const isSame = endDate === plan.endDate && archiveTimeZone === plan.archiveTimeZone;
  return isSame ? plan : { ...plan, endDate, archiveTimeZone };
}

async function toGoal(search: SearchContext, plan: Plan): Promise<Goal> {
  const open = listOpenRounds(plan);
  const days = open.reduce((total, round) => total + countDays(round), 0);
  if (open.length === 0) return { rows: undefined, days };
  return { rows: await retry(() => countRecords(search, toSpan(open))), days };
}

async function finish(
  folder: ExportFolder,
  fetched: Fetched,
  { handOver, interrupt }: Pick<ExportOptions, "handOver" | "interrupt">,
): Promise<ExportResult> {
  const { plan } = fetched;
  const source = handOver === undefined ? undefined : await openSource(folder, fetched);
  const written =
    handOver === undefined || source === undefined || source.spans.every(({ rows }) => rows === 0)
      ? await writeFolder(folder, fetched)
      : await writeZip(handOver, source, interrupt);
  for (const name of await readdir(folder.parts)) await rm(join(folder.parts, name));
  const rounds = plan.rounds.map((round) => ({ ...round, isDone: true }));
  await writePlan(folder, { ...plan, rounds });
  await syncFolder(folder.path);
  return written;
}

async function writeFolder(
  folder: ExportFolder,
  { plan, exportedBy }: Fetched,
): Promise<ExportResult> {
  const files = createFileCount();
  const failures = createFailureList();
  const { warning, ...outputs } = await writeOutputs(folder, plan, (entry) => {
    files.add(entry);
    failures.add(entry);
  });
  if (warning !== undefined) console.warn(`Warning: ${outputs.metadata.file}: ${warning}`);
  const beganAt = plan.rounds.at(-1)?.beganAt ?? "";
  const searched = await readSearched(folder, plan);
  const report = toReport(searched, exportedBy, {
    ...outputs,
    files: files.read(),
    beganAt,
    finishedAt: new Date().toISOString(),
  });
  return { ...(await writeReport(folder, report)), failures: failures.groups() };
}
