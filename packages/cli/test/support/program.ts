// The program as its users run it: a process, its output, its exit code.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program with these variables and no others of its own, and without colour. */
export function start(args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:CALL_MEDIA_|(?:FORCE|NO)_COLOR$)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), ...variables };
  const child = spawn(process.execPath, [MAIN, ...args], { env });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}

export function run(args: readonly string[], variables?: NodeJS.ProcessEnv): Promise<Ended> {
  return start(args, variables).ended;
}
