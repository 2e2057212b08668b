// The input and output of one run of the program: the process's own streams and environment, or those of the caller of
// `runProgram`. Commands use these in place of globals, so that one process can run many, also at once.
import { AsyncLocalStorage } from "node:async_hooks";
import { Console } from "node:console";

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
  /** Emits the signals that end the run, or have it read its certificate again; the process by default. */
  readonly signals?: Pick<NodeJS.EventEmitter, "on" | "off">;
}

interface Run extends Io {
  readonly console: Pick<Console, "log" | "error">;
  /** The exit code, if the command set one. */
  exitCode: number | undefined;
}

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
  get exitCode() {
    return process.exitCode === undefined ? undefined : Number(process.exitCode);
  },
  set exitCode(code) {
    process.exitCode = code;
  },
};

const runs = new AsyncLocalStorage<Run>();

/** For the current run, or for the process outside of {@link runWith}. */
export const io = (): Run => runs.getStore() ?? PROCESS;

/** Writes to the streams of the run at hand. */
export const console: Run["console"] = {
  log: (...values) => io().console.log(...values),
  error: (...values) => io().console.error(...values),
};

/** Runs `command` with these streams and this environment. */
export function runWith<Result>(given: Io, command: () => Promise<Result>): Promise<Result> {
  const run: Run = { ...given, console: new Console(given), exitCode: undefined };
  return runs.run(run, command);
}
