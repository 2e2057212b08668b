// The operator's program as a process of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** As a loss of power is for the process: nothing of it runs any more when this resolves. */
  readonly kill: () => Promise<Ended>;
}

// The program lies beside the library's door.
const MAIN = join(dirname(createRequire(import.meta.url).resolve("@call-media/server")), "main.ts");

/** Starts `call-media-server`; whoever starts it sees to its end. */
export function startProcess(args: readonly string[]): Program {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
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
