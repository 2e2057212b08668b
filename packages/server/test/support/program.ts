// The operator's program serving an archive, as a process of its own, with what it says.
import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { MAIN } from "./command.ts";

export type LogLine = Readonly<Record<string, unknown>>;

/** Disposing of it kills it, and waits until it has ended: until then it may write into the archive's folder. */
export interface Program extends AsyncDisposable {
  readonly baseUrl: string;
  /** Of the port for metrics; "" without one. */
  readonly metricsUrl: string;
  readonly pid: number;
  readonly signal: (name: NodeJS.Signals) => void;
  /** All of it so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** The lines of the log so far; throws when one is not JSON. */
  readonly log: () => LogLine[];
  /** Stops reading standard error, for good. */
  readonly ignoreLog: () => void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** SIGTERM, and the exit code. */
  readonly stop: () => Promise<number | null>;
}

/**
 * `call-media-server serve` on a free port; killed with the test that asked for it. `archive`: its folder, or the options
 * that say where it is. `maxFiles`: how many it may have open.
 */
export async function startProgram(
  archive: string | readonly string[],
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  maxFiles?: number,
): Promise<Program> {
  const place = typeof archive === "string" ? ["--data", archive] : archive;
  const command = [process.execPath, MAIN, "serve", ...place, "--port", "0", ...args];
  const limited =
    maxFiles === undefined ? [] : ["sh", "-c", `ulimit -n ${maxFiles}; exec "$@"`, "sh"];
  const [file = "", ...rest] = [...limited, ...command];
  const child = spawn(file, rest, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  const ended = new Promise<Awaited<Program["ended"]>>((resolve) =>
    child.on("exit", (code, signal) => {
      const end = () => resolve({ code, signal });
      // What was said last comes after the end, unless nobody listens.
      if (child.stderr.isPaused()) end();
      else child.on("close", end);
    }),
  );
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => {
      said.stdout += chunk.toString();
      const [, url] = /at (https?:\S+),/.exec(said.stdout) ?? [];
      if (url !== undefined) resolve(url);
    });
    void ended.then(() => reject(new Error(`ended, having said ${said.stderr}`)));
  });
  const log = () => said.stderr.split("\n").filter(Boolean).map(parseLine);
  return {
    baseUrl,
    metricsUrl: args.includes("--metrics-port") ? await findMetrics(() => said.stderr) : "",
    pid: child.pid ?? 0,
    signal: (name) => void child.kill(name),
    output: () => ({ ...said }),
    log,
    ignoreLog: () => void child.stderr.pause(),
    ended,
    stop: async () => {
      child.kill("SIGTERM");
      return (await ended).code;
    },
    [Symbol.asyncDispose]: kill,
  };
}

function parseLine(line: string): LogLine {
  return JSON.parse(line);
}

// The log is gathered before it is written, and a line may come in parts.
async function findMetrics(stderr: () => string): Promise<string> {
  for (;;) {
    const started = stderr().split("\n").slice(0, -1).map(parseLine)[0];
    if (started !== undefined) return String(started["metrics"]);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
