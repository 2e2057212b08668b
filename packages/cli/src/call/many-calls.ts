// Saves the files of many calls into one folder. Running the command again fetches only missing files.
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { type CallRecord, isCallMediaError } from "@call-media/client";
import { createNames, DEFAULT_TEMPLATE, toExtension, toStem } from "@call-media/handover";
import { FAILED } from "../exit-codes.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { toSentence } from "../failures/failure.ts";
import {
  console,
  createProgressLine,
  io,
  type ProgressLine,
  readIds,
  toCounted,
  toPrintable,
  toProgressOutput,
  UsageError,
} from "@call-media/terminal";
import { STDOUT } from "../files/output-file.ts";
import { makeFolder } from "../files/written-files.ts";

export const IDS_OPTION = [
  "--ids <file>",
  "instead of call_id: identifiers, one a line, - is standard input; --out is a folder then",
] as const;

/** @throws UsageError if a call is given in addition to the list. */
export function refuseBoth(callId: string | undefined): void {
  if (callId !== undefined) throw new UsageError("give a call_id or --ids, not both");
}

/** One call of many, and the folder for its files. */
export interface CallToSave {
  readonly call_id: string;
  readonly progress: ProgressLine;
  /** Counts the files of this call. */
  readonly tally: FileTally;
  /** The path of a file without its extension. `part`: the number of a recording, from 1. */
  readonly toStem: (part?: number) => string;
  /** The recording with this stem that an earlier run has saved. */
  readonly findRecording: (stem: string) => string | undefined;
}

interface FileTally {
  saved: number;
  /** The number of files saved by an earlier run. */
  there: number;
}

interface ManyCalls {
  readonly ids: string;
  readonly out: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Saves the calls sequentially, in the order of the list. Reports the failed calls at the end, also if an error ends the run early. The
 * exit code is then 1.
 *
 * @throws UsageError without a folder; errors that would stop every other call too, such as those of signing in.
 */
export async function saveMany(
  { ids: list, out, signal }: ManyCalls,
  save: (call: CallToSave) => Promise<void>,
): Promise<void> {
  if (out === undefined || out === STDOUT)
    throw new UsageError("--ids needs --out with the folder to write into");
  const ids = await readIds(list);
  await makeFolder(out);
  using progress = createProgressLine(toProgressOutput());
  const toCall = createCalls(out, ids);
  const failures: string[] = [];
  const tally = { saved: 0, there: 0 };
  try {
    for (const [index, call_id] of ids.entries()) {
      progress.show(`${index + 1} of ${toCounted(ids.length, "call")}: ${call_id}`);
      try {
        await save({ ...toCall(call_id), progress, tally });
      } catch (error) {
        signal.throwIfAborted();
        failures.push(`${call_id}: ${toReason(error)}`);
      }
    }
  } finally {
    progress.show("");
    const { saved, there } = tally;
    console.info(
      toPrintable(
        `${toCounted(saved, "file")} saved in ${out}, ${there.toLocaleString("en")} were there`,
      ),
    );
    reportFailures(failures, ids.length);
  }
}

function reportFailures(failures: readonly string[], calls: number): void {
  if (failures.length === 0) return;
  for (const failure of failures) console.warn(toPrintable(failure));
  console.warn(
    `${toCounted(failures.length, "call")} of ${calls.toLocaleString("en")} failed: the same command tries them again`,
  );
  io().exitCode = FAILED;
}

/** Every run of the same list creates the same names. */
function createCalls(out: string, ids: readonly string[]) {
  const names = createNames();
  const toOwnStem = (call_id: string, part: number) =>
    names.take(toStem(DEFAULT_TEMPLATE, { call_id } as CallRecord, part));
  const stems = new Map(ids.map((id) => [id, toOwnStem(id, 1)]));
  // The folder may also contain the transcript of the call.
  const recordings = readdirSync(out).filter((name) => toExtension([name], "") === parse(name).ext);
  const files = new Map(recordings.map((name) => [parse(name).name, join(out, name)]));
  return (call_id: string) => ({
    call_id,
    toStem: (part = 1) =>
      join(out, part === 1 ? (stems.get(call_id) ?? "") : toOwnStem(call_id, part)),
    findRecording: (stem: string) => files.get(parse(stem).base),
  });
}

/** Errors that would recur for the next call. */
const OF_ALL = ["AuthenticationError", "AbortError", "ConnectionError", "RateLimitError"] as const;

/** @throws the error if it concerns more than one call. */
function toReason(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (!isCallMediaError(error) || OF_ALL.some((name) => isCallMediaError(error, name))) throw error;
  return toSentence(error);
}
