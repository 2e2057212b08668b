// The archive that an import fills: one that is there, one that the first row makes, or a copy for a dry run.
import type { CallStore } from "@call-media/store";
import type { ImportOptions } from "@call-media/import";
import { createStore, isArchive, openScratchCopy } from "@call-media/store/sqlite";
import { toOperator } from "../command-line/operator.ts";
import { createProgress } from "../command-line/progress.ts";

export interface ImportTarget extends AsyncDisposable {
  readonly store: ImportOptions["store"];
}

interface TargetOptions {
  /** The folder of the archive. */
  readonly data: string;
  /** Of a new archive; UTC by default. */
  readonly timeZone: string | undefined;
  readonly dryRun?: true;
  /** The files, for the access log: they may bring users and their rights. */
  readonly paths: readonly string[];
}

/** A new archive is made by the first row that there is: a file of no known format leaves no empty one behind. */
export async function openImportTarget({
  data,
  timeZone,
  dryRun,
  paths,
}: TargetOptions): Promise<ImportTarget> {
  const options = { directory: data, timeZone };
  let opened: CallStore | undefined;
  const create = async () => {
    opened = await (dryRun ? openCopy(options) : createStore(options));
    const act = { operation: "import", operator: toOperator(), asked: { files: paths } } as const;
    if (!dryRun) await opened.accessLog.record(act);
    return opened;
  };
  const store = isArchive(data) ? await create() : { timeZone: timeZone ?? "UTC", create };
  return { store, [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose]() };
}

async function openCopy(options: Parameters<typeof openScratchCopy>[0]): Promise<CallStore> {
  using progress = createProgress();
  return await openScratchCopy({
    ...options,
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
