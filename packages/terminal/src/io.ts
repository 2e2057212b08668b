// Streams and environment of one run of the program: those of the process, or those given to `runProgram`. Commands use them
// instead of globals, so that one process can run several commands in parallel.
import { AsyncLocalStorage } from "node:async_hooks";
import { Console } from "node:console";
import type { constants } from "node:os";
import { type Readable, Writable } from "node:stream";
import { inspect } from "node:util";

/** A stream to write to, which may be a terminal. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Emits the signals that end the run or make it reload its certificate. Default: the process. */
  readonly signals?: Pick<NodeJS.EventEmitter, "on" | "off" | "once">;
}

/** The common options of a run; see `common-options.ts` of the program call-media. */
export interface Manner {
  /** --quiet: only results, warnings and failures. */
  readonly isQuiet: boolean;
  /** --verbose: requests too. */
  readonly isVerbose: boolean;
  /** --group-readable: the file's group may read it. */
  readonly isForGroup: boolean;
  /** --log-file: receives every message, also with --quiet. */
  readonly log: ((text: string) => void) | undefined;
}

interface Run extends Io {
  readonly console: Pick<Console, "log" | "error">;
  /** The exit code that the command has set. */
  exitCode: number | undefined;
  manner: Manner;
  /** The signal that stopped the command. */
  stoppedBy: keyof typeof constants.signals | undefined;
}

const USUAL: Manner = { isQuiet: false, isVerbose: false, isForGroup: false, log: undefined };

/** Getters, because touching standard input would start to read it. */
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

/** The current run; outside of {@link runWith}, the process. */
export const io = (): Run => runs.getStore() ?? PROCESS;

/** Results go to standard output, everything else to standard error. The log gets everything but results. */
export const console = {
  /** A result. */
  log: (text: string) => io().console.log(text),
  /** A message about the work in progress. */
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
  /** A result with a fault. */
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

/** Prints the summary of an export or a verification; with --quiet only if something is wrong. */
export function printAccount(text: string, isAsItShouldBe: boolean): void {
  const { isQuiet, log } = io().manner;
  log?.(text);
  if (!isQuiet || !isAsItShouldBe) console.log(text);
}

/** The stream for progress. Suppressed with --quiet, and with --verbose, whose lines it would overwrite. */
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
