// The operator's program as a process of its own: run to its end, or started to be killed.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** As loss of power is for the process: nothing of it runs any more when this resolves. */
  readonly kill: () => Promise<Ended>;
}

// The program lies beside the library's door.
const MAIN = fileURLToPath(new URL("main.ts", import.meta.resolve("@call-media/server")));

/** Starts `call-media-server`; killed with the test at the latest. */
export function startProgram(args: readonly string[]): Program {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    kill: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

/** Runs it to its end. Throws what it said when the exit code is not one of `codes`. */
export async function runProgram(
  args: readonly string[],
  codes: readonly number[] = [0],
): Promise<Ended> {
  const ended = await startProgram(args).ended;
  if (ended.code !== null && codes.includes(ended.code)) return ended;
  throw new Error(`${args.join(" ")} ended with ${ended.code ?? ended.signal}: ${ended.stderr}`);
}
