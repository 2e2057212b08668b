// The operator's program serving an archive, in the process of the test or as a process of its own, with what it says.
import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { MAIN, runHere, withoutPlace } from "./command.ts";

export type LogLine = Readonly<Record<string, unknown>>;

/** Disposing of it ends it, and waits until it has ended: until then it may write into the archive's folder. */
export interface Serving extends AsyncDisposable {
  readonly baseUrl: string;
  /** The URL of the port for metrics; "" without one. */
  readonly metricsUrl: string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** All of it so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** The lines of the log so far; throws when one is not JSON. */
  readonly log: () => LogLine[];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** SIGTERM, and the exit code. */
  readonly stop: () => Promise<number | null>;
}

/** As a process of its own. */
export interface Program extends Serving {
  readonly pid: number;
  /** Stops reading standard error, for good. */
  readonly ignoreLog: () => void;
}

const toArgs = (archive: string | readonly string[], args: readonly string[]) => {
  const place = typeof archive === "string" ? ["--data", archive] : archive;
  return ["serve", ...place, "--port", "0", ...args];
};

/** `call-media-server serve` on a free port, in this process; stopped with the test that asked for it. */
export async function startServing(
  archive: string | readonly string[],
  args: readonly string[] = [],
): Promise<Serving> {
  const found = Promise.withResolvers<string>();
  const { output, signal, ended } = runHere(toArgs(archive, args), () => {
    const [, url] = /at (https?:\S+),/.exec(output().stdout) ?? [];
    if (url !== undefined) found.resolve(url);
  });
  void ended.then(({ stderr }) => found.reject(new Error(`ended, having said ${stderr}`)));
  const stop = async () => {
    signal("SIGTERM");
    return (await ended).code;
  };
  onTestFinished(async () => void (await stop()));
  const baseUrl = await found.promise;
  const metricsUrl = args.includes("--metrics-port")
    ? await findMetrics(() => output().stderr)
    : "";
  return {
    baseUrl,
    metricsUrl,
    signal,
    output,
    log: () => output().stderr.split("\n").filter(Boolean).map(parseLine),
    ended: ended.then(({ code }) => ({ code, signal: null })),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
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
  const command = [process.execPath, MAIN, ...toArgs(archive, args)];
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
  const output = () => ({
    ...said,
    ...(maxFiles === undefined && { stderr: withoutPlace(said.stderr) }),
  });
  return {
    baseUrl,
    metricsUrl: args.includes("--metrics-port") ? await findMetrics(() => said.stderr) : "",
    pid: child.pid ?? 0,
    signal: (name) => void child.kill(name),
    output,
    log: () => output().stderr.split("\n").filter(Boolean).map(parseLine),
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
