// The rows of a command in the access log: one when it begins, and one with its result, however it ends.
import { constants } from "node:os";
import { ImportError, ImportStopped } from "@call-media/import/errors";
import { ArchiveError, type OperatorAct, StoreFault } from "@call-media/store";
import { console, io, UsageError } from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";
import { toOperator, toRun } from "./operator.ts";

/** The access log of the archive that the command works on. */
export interface CommandLog {
  readonly record: (act: OperatorAct) => Promise<void>;
}

type CommandAct = Pick<OperatorAct, "operation" | "asked" | "callIds">;

/** The result of a command; "done" by default. */
export type Ending = Partial<Pick<OperatorAct, "outcome" | "reason" | "counts">>;

interface Recorded<Result> extends CommandAct {
  readonly log: CommandLog;
  readonly toEnding?: (result: Result) => Ending;
  /** The counts of a failed command, up to its failure. */
  readonly toCounts?: (error: unknown) => OperatorAct["counts"];
}

/**
 * Does the work of a command between its two rows, which share its `run`. A signal ends the program after a row about the
 * signal; a second signal ends it immediately. Throws the error of the work, after its row.
 */
export async function recorded<Result>(
  { log, toEnding = () => ({}), toCounts, ...command }: Recorded<Result>,
  work: (run: string) => Promise<Result>,
): Promise<Result> {
  const run = toRun();
  const act = { ...command, operator: toOperator(), run };
  const end = (ending: Ending) => log.record({ ...act, outcome: "done", ...ending });
  // Installed before the first row, so that a signal during that row leaves a row too.
  const interrupt = watchSignals((ending) => tryEnd(end, ending));
  try {
    await log.record({ ...act, outcome: "begun" });
    await interrupt.ended();
    const result = await work(run).catch(async (error: unknown) => {
      await interrupt.ended();
      const counts = toCounts?.(error);
      await tryEnd(end, { ...toFailedEnding(error), ...(counts !== undefined && { counts }) });
      throw error;
    });
    await interrupt.ended();
    await end(toEnding(result));
    return result;
  } finally {
    interrupt.stop();
  }
}

/** For a command whose row is written together with its changes: only a failure gets a row of its own. */
export async function recordedAtOnce<Result>(
  { log, ...command }: Pick<Recorded<Result>, "log" | keyof CommandAct>,
  work: () => Promise<Result>,
): Promise<Result> {
  return await work().catch(async (error: unknown) => {
    const end = (ending: Ending) =>
      log.record({ ...command, operator: toOperator(), run: toRun(), ...ending });
    await tryEnd(end, toFailedEnding(error));
    throw error;
  });
}

// The log may be the cause of the failure; the operator needs the original error.
async function tryEnd(end: (ending: Ending) => Promise<void>, ending: Ending): Promise<void> {
  try {
    await end(ending);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(
      toPrintable(`call-media-server: the access log does not say how this ended: ${why}`),
    );
  }
}

// An import error without a report means that nothing was read.
const isRefusal = (error: unknown): boolean =>
  error instanceof ArchiveError ||
  error instanceof UsageError ||
  (error instanceof ImportError && error.report === undefined);

function toFailedEnding(error: unknown): Ending {
  const reason = toReason(error);
  const outcome = isRefusal(error) ? "refused" : "failed";
  return reason === undefined ? { outcome } : { outcome, reason };
}

/** In one word: a message may contain parts of a record. */
function toReason(error: unknown): string | undefined {
  if (error instanceof StoreFault) return error.reason;
  if (error instanceof ImportStopped) return toStops(error);
  if (isRefusal(error) || error instanceof ImportError || !(error instanceof Error))
    return undefined;
  return "code" in error ? String(error.code) : error.name;
}

const toStops = ({ doubts }: ImportStopped) =>
  doubts
    .filter(({ effect }) => effect === "stop")
    .map(({ name }) => name)
    .join(" ");

const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const BY_SIGNAL = 128;

function watchSignals(end: (ending: Ending) => Promise<void>) {
  const signals = io().signals ?? process;
  let ending: Promise<never> | undefined;
  const onSignal = (signal: (typeof ENDING)[number]): void => {
    const exit = () => process.exit(BY_SIGNAL + constants.signals[signal]);
    // A second signal does not wait for the row, which may not be writable.
    if (ending !== undefined) exit();
    ending = end({ outcome: "failed", reason: signal }).then(exit);
  };
  for (const name of ENDING) signals.on(name, onSignal);
  return {
    stop: (): void => {
      for (const name of ENDING) signals.off(name, onSignal);
    },
    /** Never resolves after a signal. */
    ended: async (): Promise<void> => await ending,
  };
}
