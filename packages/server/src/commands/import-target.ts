// The archive that an import fills: an existing one, one that the first row creates, or a copy for a dry run.
import type { ArchiveItem, CallStore, ImportedRows, OperatorAct } from "@call-media/store";
import type { ImportOptions } from "@call-media/import";
import { type Adapter, findAdapter, type Places } from "@call-media/store/open";
import { toOperator, toRun } from "../command-line/operator.ts";
import { createProgress } from "../command-line/progress.ts";
import { UsageError } from "@call-media/terminal";
import { unable } from "../command-line/places.ts";

export interface ImportTarget
  extends AsyncDisposable, Pick<ImportOptions, "store" | "onRestoring"> {
  /** Tells the access log what became of it; nothing where no archive was opened. */
  end(outcome: "done" | "failed", report?: ImportedRows): Promise<void>;
}

interface TargetOptions {
  readonly places: Places;
  /** Of a new archive; UTC by default. */
  readonly timeZone: string | undefined;
  readonly dryRun?: true;
  readonly link?: true;
  /** The files, for the access log: they may bring users and their rights. */
  readonly paths: readonly string[];
  readonly restoreErased?: true;
  /** The doubts that the operator passes. */
  readonly allow?: readonly string[];
}

/** A new archive is made by the first row that there is: a file of no known format leaves no empty one behind. */
export async function openImportTarget({
  places,
  timeZone,
  dryRun,
  link,
  paths,
  restoreErased,
  allow,
}: TargetOptions): Promise<ImportTarget> {
  const adapter = await findAdapter(places);
  if (link && adapter.maintenance.media.link === undefined)
    throw new UsageError(
      "--link keeps the paths of files, which a bucket cannot: leave it out, or keep the recordings in a folder",
    );
  let opened: CallStore | undefined;
  const run = toRun();
  const create = async () => {
    opened = await (dryRun ? openCopy(adapter, timeZone) : adapter.create({ timeZone }));
    await log({ asked, outcome: "begun" });
    return opened;
  };
  const asked = {
    files: paths,
    ...(restoreErased && { restore_erased: true }),
    ...(allow && { allowed: allow }),
  };
  const log = async (act: Omit<OperatorAct, "operation" | "operator">) => {
    if (!dryRun)
      await opened?.accessLog.record({ operation: "import", operator: toOperator(), run, ...act });
  };
  // Who asks the log for a call is told that it came back.
  const onRestoring = async (restored: readonly ArchiveItem[]) => {
    const callIds = restored.flatMap((item) =>
      item.kind === "call" || item.kind === "chat" ? (item.record.call_id ?? []) : [],
    );
    await log({ asked: { restoring: restored.length }, callIds: [...new Set(callIds)] });
  };
  const store = (await adapter.exists()) ? await create() : { timeZone, create };
  const end = async (outcome: "done" | "failed", report?: ImportedRows) =>
    await log({ asked, outcome, ...(report !== undefined && { counts: toCounts(report) }) });
  return {
    store,
    onRestoring,
    end,
    [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose](),
  };
}

const toCounts = ({ imported, replaced, unchanged, erased, rejected }: ImportedRows) => ({
  imported,
  replaced,
  unchanged,
  erased_before: erased,
  rejected,
});

async function openCopy(
  { openDryRun = () => unable("be filled on trial") }: Adapter,
  timeZone: string | undefined,
): Promise<CallStore> {
  using progress = createProgress();
  return await openDryRun({
    timeZone,
    signal: createInterrupt(),
    onCopied: (bytesDone, bytesTotal) =>
      progress.update({ step: "copying for the dry run", bytesDone, bytesTotal }),
  });
}

const INTERRUPTED = 130;

/** Is aborted by a signal, which then ends the program. */
function createInterrupt(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => {
      stop.abort();
      process.exit(INTERRUPTED);
    });
  return stop.signal;
}
