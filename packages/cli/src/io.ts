// What one run of the program reads and writes: the process's own streams and environment, or those that the caller of
// `runProgram` hands in. Commands use these in place of globals, so that one process can run many, also at once.
import { AsyncLocalStorage } from "node:async_hooks";
import { Console } from "node:console";
import type { constants } from "node:os";
import { Writable } from "node:stream";
import { inspect } from "node:util";

/** A stream to write to, which may be a terminal. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

export interface Io {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Aborted where the run is to end in order; if left out, the signals of the process do that. */
  readonly interrupt?: AbortSignal;
}

/** What a run was asked for besides its work; see `command-line/common-options.ts`. */
export interface Manner {
  /** --quiet: nothing but results, warnings and failures. */
  readonly isQuiet: boolean;
  /** --verbose: the requests too. */
  readonly isVerbose: boolean;
  /** --group-readable: what is written may be read by the group of the file. */
  readonly isForGroup: boolean;
  /** --log-file: takes each message that there is, also those that --quiet leaves out. */
  readonly log: ((text: string) => void) | undefined;
}

interface Run extends Io {
  readonly console: Pick<Console, "log" | "error">;
  /** What the program ends with, if the command said so. */
  exitCode: number | undefined;
  manner: Manner;
  /** The signal that ended the command before its time. */
  stoppedBy: keyof typeof constants.signals | undefined;
}

const USUAL: Manner = { isQuiet: false, isVerbose: false, isForGroup: false, log: undefined };

/** Each stream is made when it is first asked for: standard input would otherwise be read. */
const PROCESS: Run = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  env: process.env,
  console: globalThis.console,
  manner: USUAL,
  stoppedBy: undefined,
  get exitCode() {
    return process.exitCode === undefined ? undefined : Number(process.exitCode);
  },
  set exitCode(code) {
    process.exitCode = code;
  },
};

const runs = new AsyncLocalStorage<Run>();

/** Of the run at hand; of the process outside of {@link runWith}. */
export const io = (): Run => runs.getStore() ?? PROCESS;

/** Results go to standard output, all else to standard error; the log has all but the data that was asked for. */
export const console = {
  /** A result. */
  log: (text: string) => io().console.log(text),
  /** What somebody may want to know meanwhile. */
  info(text: string): void {
    const { isQuiet, log } = io().manner;
    log?.(text);
    if (!isQuiet) io().console.error(text);
  },
  /** A request, for --verbose and the log. */
  debug(text: string): void {
    const { isVerbose, log } = io().manner;
    log?.(text);
    if (isVerbose) io().console.error(text);
  },
  /** A result that is not what it should be. */
  warn(text: string): void {
    io().manner.log?.(text);
    io().console.error(text);
  },
  /** Why a command failed. */
  error(shown: unknown): void {
    io().manner.log?.(typeof shown === "string" ? shown : inspect(shown));
    io().console.error(shown);
  },
};

/** The account of an export or a check of its files: with --quiet only where something is not as it should be. */
export function printAccount(text: string, isAsItShouldBe: boolean): void {
  const { isQuiet, log } = io().manner;
  log?.(text);
  if (!isQuiet || !isAsItShouldBe) console.log(text);
}

/** Where progress is drawn: nowhere with --quiet, and with --verbose, whose lines would be written over. */
export function toProgressOutput(): Output {
  const { stderr, manner } = io();
  return manner.isQuiet || manner.isVerbose ? NOWHERE : stderr;
}

const NOWHERE: Output = new Writable({ write: (_chunk, _encoding, done) => done() });

/** Runs `command` with these streams and this environment. */
export function runWith<Result>(given: Io, command: () => Promise<Result>): Promise<Result> {
  const own = { exitCode: undefined, manner: USUAL, stoppedBy: undefined };
  const run: Run = { ...given, ...own, console: new Console(given) };
  return runs.run(run, command);
}
