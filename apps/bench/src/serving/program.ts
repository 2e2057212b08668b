// Runs `call-media-server` as an operator does, in a separate process. Its standard error goes to a file.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCpuUs, readPeakBytes } from "./process-account.ts";
import { stopProcess } from "./stop-process.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.resolve("@call-media/server")));

export interface Serving extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  /** CPU time of the server so far, user and system, of all threads, in microseconds. */
  cpuUs(): Promise<number>;
  /** Peak resident memory in bytes. */
  peakBytes(): number;
}

export interface ServeOptions {
  /** The folder of the archive. */
  readonly directory: string;
  /** Receives standard error, after the existing text. */
  readonly logFile: string;
  /** Further arguments of `serve`. */
  readonly arguments?: readonly string[];
}

/** Starts `serve` on a free port. Throws an Error with its output if it ends before it listens. */
export async function startServing(options: ServeOptions): Promise<Serving> {
  const { directory, logFile, arguments: further = [] } = options;
  const child = spawnProgram(["serve", "--data", directory, "--port", "0", ...further], logFile);
  const baseUrl = await readBaseUrl(child, logFile);
  const pids = [child.pid ?? 0];
  return {
    baseUrl,
    port: Number(new URL(baseUrl).port),
    cpuUs: async () => readCpuUs(pids),
    peakBytes: () => readPeakBytes(pids),
    [Symbol.asyncDispose]: () => stopProcess(child),
  };
}

/** Runs a command to its end. Throws an Error with its output if the exit code is not 0. */
export async function runProgram(arguments_: readonly string[], logFile: string): Promise<void> {
  const child = spawnProgram(arguments_, logFile);
  child.stdout?.resume();
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${arguments_[0]} ended: ${readFileSync(logFile, "utf8")}`);
}

function spawnProgram(arguments_: readonly string[], logFile: string): ChildProcess {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [MAIN, ...arguments_], { stdio: ["ignore", "pipe", log] });
  closeSync(log);
  // An interrupted run leaves no process.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  return child;
}

async function readBaseUrl(child: ChildProcess, logFile: string): Promise<string> {
  let said = "";
  // Kept open: if this side closed it, the process would end on its next line.
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk);
    const [, url] = /at (https?:\S+),/.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`serve ended: ${readFileSync(logFile, "utf8")}`);
}
