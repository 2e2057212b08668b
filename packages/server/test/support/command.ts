// The operator's program as a process: its output and its exit code, at its end or while it runs.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

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
  /** As whom it runs; only root may say. */
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
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
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
export const run = (...args: readonly string[]): Promise<Ended> => startCommand(args).ended;
