// The program call-media in the process of a test, where its start would take longer than its work.
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The parts of a running program that a test needs, for a program in its own process or in a child process. */
export interface Running {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  readonly kill: (signal?: NodeJS.Signals) => boolean;
}

export interface Started {
  readonly child: Running;
  readonly ended: Promise<Ended>;
}

export interface Surroundings {
  /** All variables of its environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** The working directory. */
  readonly cwd?: string | undefined;
  /** All of standard input, which is left open if it is undefined. */
  readonly input?: string | undefined;
  /** Makes its streams those of a terminal with this number of columns. */
  readonly columns?: number | undefined;
}

type RunProgram = (args: readonly string[], io: object) => Promise<number>;

// By its address: this package is below all others.
const PROGRAM = new URL("../../packages/cli/src/program.ts", import.meta.url).href;

export function startCallMedia(
  args: readonly string[],
  { env = {}, cwd, input, columns }: Surroundings = {},
): Started {
  const open = () => Object.assign(new PassThrough(), columns && { isTTY: true, columns });
  const [stdin, stdout, stderr] = [open(), open(), open()];
  const signals = new EventEmitter();
  const texts = [gather(stdout), gather(stderr)] as const;
  if (input !== undefined) stdin.end(input);
  const run = async (): Promise<Ended> => {
    const { runProgram } = (await import(PROGRAM)) as { runProgram: RunProgram }; // which that module exports
    using _ = enter(cwd);
    const code = await runProgram(args, { stdin, stdout, stderr, env, signals });
    await Promise.all([stdout, stderr].map((stream) => finished(stream.end())));
    return { code, stdout: texts[0](), stderr: texts[1]() };
  };
  const kill = (signal: NodeJS.Signals = "SIGTERM") => signals.emit(signal);
  return { child: { stdin, stdout, stderr, kill }, ended: run() };
}

/** Runs it to its end. */
export const runCallMedia = (
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Ended> => startCallMedia(args, { input: "", ...surroundings }).ended;

function gather(stream: PassThrough): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

let inside = 0;
const outside = { folder: process.cwd(), mask: process.umask() };

/** The working directory, until the last of the runs that go at once has left it. */
function enter(cwd: string | undefined): Disposable {
  inside += 1;
  if (cwd !== undefined) process.chdir(cwd);
  return {
    [Symbol.dispose]: () => {
      inside -= 1;
      if (inside > 0) return;
      process.chdir(outside.folder);
      process.umask(outside.mask); // export narrows it
    },
  };
}
