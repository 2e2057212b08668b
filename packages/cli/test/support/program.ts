// The program as its users run it: its output and its exit code. It runs in the process of the test where that makes no
// difference, else as a process of its own.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  type Ended,
  runCallMedia,
  type Started,
  startCallMedia,
} from "@call-media/test-setup/call-media";

export type { Ended };

export const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

interface Surroundings {
  /** The working directory. */
  readonly cwd?: string;
  /** The user that the program runs as. Only root may set it. */
  readonly uid?: number;
  /** What stands before the program, such as `AS_ANYBODY`. */
  readonly before?: readonly string[];
  /** All of standard input. */
  readonly input?: string;
  /** The width of the terminal that its streams are connected to. */
  readonly columns?: number;
}

/** Settings that nobody has made: what the developer keeps with `login` must not play a part. */
const NO_SETTINGS = {
  ...toSettings("/nonexistent"),
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)),
};

/** The variables that make this folder the user's home for `login` on every platform. */
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
export const start = (
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  { cwd, columns }: Surroundings = {},
): Started => startCallMedia(args, { env: toEnvironment(variables), cwd, columns });

/** The same, as a process of its own. */
export function startProcess(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  { cwd, uid, before = [] }: Surroundings = {},
) {
  const env = toEnvironment(variables);
  const [file = "", ...rest] = [...before, process.execPath, MAIN, ...args];
  const child = spawn(file, rest, { env, cwd, uid });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

/** Runs the program to its end, in this process unless what is asked for belongs to a process. */
export function run(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  surroundings: Surroundings = {},
): Promise<Ended> {
  const { uid, before, cwd, input = "" } = surroundings;
  const isOther = uid !== undefined || before !== undefined;
  if (isForMain(args) || isOther || hasForeign(variables))
    return runProcess(args, variables, surroundings);
  return runCallMedia(args, { env: toEnvironment(variables), cwd, input });
}

/** The same, always as a process of its own. */
export function runProcess(
  args: readonly string[],
  variables?: NodeJS.ProcessEnv,
  surroundings: Surroundings = {},
): Promise<Ended> {
  const { child, ended } = startProcess(args, variables, surroundings);
  child.stdin.on("error", () => {}); // it may end without having read
  child.stdin.end(surroundings.input ?? "");
  return ended;
}

/** What main.ts answers by itself. */
const isForMain = (args: readonly string[]) =>
  args.length === 0 || (args.length === 1 && /^(?:-|help$)/.test(args[0] ?? ""));

/** Those of Node.js and the terminal are read when a process starts. */
const hasForeign = (variables: NodeJS.ProcessEnv) =>
  Object.keys(variables).some((name) => !name.startsWith("CALL_MEDIA_") && !(name in SETTINGS));

const SETTINGS = toSettings("");

// The same for the whole process of the test: no settings of the developer, and no colour.
Object.assign(process.env, NO_SETTINGS);
delete process.env["FORCE_COLOR"];
