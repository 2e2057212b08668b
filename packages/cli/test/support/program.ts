// The program as its users run it: a process, its output, its exit code.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

interface Surroundings {
  /** The working directory. */
  readonly cwd?: string;
  /** As whom it runs; only root may say. */
  readonly uid?: number;
  /** All of standard input. */
  readonly input?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Settings that nobody has made: what the developer keeps with `login` must not play a part. */
const NO_SETTINGS = {
  ...toSettings("/nonexistent"),
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)),
};

/** Where `login` keeps profiles, on every platform, when it is told that this is the home of the user. */
export function toSettings(home: string): NodeJS.ProcessEnv {
  return { HOME: home, XDG_CONFIG_HOME: home, APPDATA: home };
}

/** These variables and no others of the program's own, nor any that says whether there is colour. */
export function toEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:CALL_MEDIA_|(?:FORCE|NO)_COLOR$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...NO_SETTINGS, ...variables };
}

/** Starts the program with these variables and no others of its own, and without colour. */
export function start(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  { cwd, uid }: Surroundings = {},
) {
  const env = toEnvironment(variables);
  const child = spawn(process.execPath, [MAIN, ...args], { env, cwd, uid });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}

export function run(
  args: readonly string[],
  variables?: NodeJS.ProcessEnv,
  surroundings: Surroundings = {},
): Promise<Ended> {
  const { child, ended } = start(args, variables, surroundings);
  child.stdin.on("error", () => {}); // it may end without having read
  child.stdin.end(surroundings.input ?? "");
  return ended;
}
