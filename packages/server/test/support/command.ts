// The operator's program: its output and its exit code, in the process of the test or as a process of its own.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../src/program.ts";

export const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output has what the pattern matches; rejects when the program ends without it. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>;
}

export interface Setting {
  readonly cwd?: string;
  /** What its environment has besides. */
  readonly env?: NodeJS.ProcessEnv;
  /** The user that the command runs as. Only root may set it. */
  readonly uid?: number;
}

/** `call-media-server` with these arguments. */
export function startCommand(
  args: readonly string[],
  { env = {}, ...setting }: Setting = {},
): Started {
  const environment = { ...process.env, ...env };
  const child = spawn(process.execPath, [MAIN, ...args], { ...setting, env: environment });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(stdout);
        if (match !== null) resolve(match);
      };
      child.stdout.on("data", look);
      void ended.then(() =>
        reject(new Error(`ended without saying ${String(pattern)}: ${stderr}`)),
      );
      look();
    });
  return { child, ended, says };
}

/** The same, to its end. */
export const runProcess = (...args: readonly string[]): Promise<Ended> => startCommand(args).ended;

const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string }; // this package's own file

/** The same, to its end, in this process. Nothing is on standard input. */
export const run = (...args: readonly string[]): Promise<Ended> => runHere(args).ended;

/** The same in a folder, which is that of the whole process meanwhile. */
export async function runIn(folder: string, ...args: readonly string[]): Promise<Ended> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await run(...args);
  } finally {
    process.chdir(before);
  }
}

/** A run in this process. */
export interface Run {
  /** So far. */
  readonly output: () => Pick<Ended, "stdout" | "stderr">;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

/** `onOutput` is called whenever something was written. */
export function runHere(args: readonly string[], onOutput: () => void = () => {}): Run {
  const [out, err] = [collect(onOutput), collect(onOutput)];
  const signals = new EventEmitter();
  const streams = { stdin: Readable.from([]), stdout: out.stream, stderr: err.stream };
  const output = () => ({ stdout: out.text(), stderr: withoutPlace(err.text()) });
  const code = runProgram({ args, version }, { ...streams, env: process.env, signals });
  return {
    output,
    signal: (name) => void signals.emit(name, name),
    ended: code.then((ended) => ({ code: ended, ...output() })),
  };
}

const OF_PLACE = /^(?:.*few files may be open at a time.*|[a-z ]+: \d+% of [\d.]+ \w+)\n/gm;

/** Standard error without what the place adds: how far a command is on a busy machine, and that few files may be open. */
export const withoutPlace = (stderr: string): string => stderr.replace(OF_PLACE, "");

function collect(onOutput: () => void) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
      onOutput();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
