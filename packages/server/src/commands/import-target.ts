// The archive that an import fills: an existing one, one that the first row creates, or a copy for a dry run.
import type {
  ArchiveItem,
  CallStore,
  ImportedRows,
  Maintenance,
  OperatorAct,
} from "@call-media/store";
import type { ImportOptions, ImportReport, LogMark } from "@call-media/import";
import { type Adapter, findAdapter, type Places } from "@call-media/store/open";
import { toOperator } from "../command-line/operator.ts";
import { createProgress } from "../command-line/progress.ts";
import type { CommandLog } from "../command-line/recorded.ts";
import { UsageError } from "@call-media/terminal";
import { unable } from "../command-line/places.ts";

export interface ImportTarget extends AsyncDisposable, Pick<ImportOptions, "store"> {
  readonly archive: Pick<Maintenance, "noteDone">;
  /** The log of the archive. If the archive still has to be created, the first row waits for that. */
  readonly log: CommandLog;
  /** The arguments, for the log. */
  readonly asked: OperatorAct["asked"];
  /** For the rows of a run. */
  readonly toOnRestoring: (run: string) => ImportOptions["onRestoring"];
  /** The newest row of the access log; undefined without an archive. */
  readonly findNewestRow: () => Promise<LogMark | undefined>;
}

interface TargetOptions {
  readonly places: Places;
  /** The time zone of a new archive; UTC by default. */
  readonly timeZone: string | undefined;
  readonly dryRun?: true;
  readonly link?: true;
  /** The files, for the access log: they may add users and their rights. */
  readonly paths: readonly string[];
  readonly restoreErased?: true;
  /** The doubts that the operator allows. */
  readonly allow?: readonly string[];
}

/** The first row creates a new archive, so a file of an unknown format does not leave an empty one behind. */
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
  let waiting: OperatorAct | undefined;
  const log: CommandLog = {
    record: async (act) => {
      if (dryRun) return;
      if (opened !== undefined)
        await opened.accessLog.record(act).catch(async (fault: unknown) => {
          // On a full disk, the space reserved for purges has room for the last row.
          if (act.outcome === "begun") throw fault;
          await adapter.maintenance.record(act);
        });
      else if (act.outcome === "begun") waiting = act;
    },
  };
  const create = async () => {
    opened = await (dryRun ? openCopy(adapter, timeZone) : adapter.create({ timeZone }));
    if (waiting !== undefined) await log.record(waiting);
    return opened;
  };
  // The log then shows, for a call_id, that the call came back.
  const toOnRestoring = (run: string) => async (restored: readonly ArchiveItem[]) => {
    const callIds = restored.flatMap((item) =>
      item.kind === "call" || item.kind === "chat" ? (item.record.call_id ?? []) : [],
    );
    const act = { operation: "import", operator: toOperator(), run } as const;
    await log.record({
      ...act,
      asked: { restoring: restored.length },
      callIds: [...new Set(callIds)],
    });
  };
  return {
    store: (await adapter.exists()) ? await create() : { timeZone, create },
    archive: adapter.maintenance,
    log,
    asked: {
      files: paths,
      ...(restoreErased && { restore_erased: true }),
      ...(allow && { allowed: allow }),
    },
    toOnRestoring,
    findNewestRow: async () => {
      const row = await opened?.accessLog.find();
      if (opened === undefined || row === undefined) return undefined;
      return { id: await opened.accessLog.id(), seq: row.seq, hash: row.hash };
    },
    [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose](),
  };
}

/** Tests whether the access log of the archive has a row. Opens the archive on the first call; a missing archive has none. */
export function createRowFinder(
  places: Places,
): AsyncDisposable & { readonly hasRow: (log: LogMark) => Promise<boolean> } {
  let opened: Promise<CallStore | undefined> | undefined;
  const open = async () => {
    const adapter = await findAdapter(places);
    return (await adapter.exists()) ? await adapter.open({}) : undefined;
  };
  return {
    hasRow: async ({ id, seq, hash }) => {
      const log = (await (opened ??= open()))?.accessLog;
      return (await log?.id()) === id && (await log?.find(seq))?.hash === hash;
    },
    [Symbol.asyncDispose]: async () => (await opened)?.[Symbol.asyncDispose](),
  };
}

export const toCounts = ({
  due,
  ...counts
}: ImportedRows & Partial<Pick<ImportReport, "due">>): Readonly<Record<string, number>> => ({
  imported: counts.imported,
  replaced: counts.replaced,
  unchanged: counts.unchanged,
  erased_before: counts.erased,
  ...(due !== undefined && { due }),
  rejected: counts.rejected,
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

/** Aborted by a signal, which then ends the program. */
function createInterrupt(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => {
      stop.abort();
      process.exit(INTERRUPTED);
    });
  return stop.signal;
}
