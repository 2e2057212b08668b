// The program as its users run it: its output and its exit code. It runs in the process of the test where that makes no
// difference, else as a process of its own.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../src/program.ts";

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

/** Runs the program to its end, in this process unless what is asked for belongs to a process. */
export function run(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  surroundings: Surroundings = {},
): Promise<Ended> {
  const isOfProcess = isForMain(args) || surroundings.uid !== undefined || hasForeign(variables);
  return isOfProcess
    ? runProcess(args, variables, surroundings)
    : runHere(args, variables, surroundings);
}

/** The same, always as a process of its own. */
export function runProcess(
  args: readonly string[],
  variables?: NodeJS.ProcessEnv,
  surroundings: Surroundings = {},
): Promise<Ended> {
  const { child, ended } = start(args, variables, surroundings);
  child.stdin.on("error", () => {}); // it may end without having read
  child.stdin.end(surroundings.input ?? "");
  return ended;
}

/** What main.ts answers by itself; and `mcp`, which is about the process's own standard input and output. */
const isForMain = (args: readonly string[]) =>
  args.length === 0 ||
  (args.length === 1 && /^(?:-|help$)/.test(args[0] ?? "")) ||
  args[0] === "mcp";

/** Those of Node.js, the home and the terminal are read when a process starts. */
const hasForeign = (variables: NodeJS.ProcessEnv) =>
  Object.keys(variables).some((name) => !name.startsWith("CALL_MEDIA_"));

// The same for the whole process of the test: no settings of the developer, and no colour.
Object.assign(process.env, NO_SETTINGS);
delete process.env["FORCE_COLOR"];

async function runHere(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  { cwd, input = "" }: Surroundings,
): Promise<Ended> {
  const [out, err] = [collect(), collect()];
  using _ = enter(cwd);
  const code = await runProgram(args, {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: out.stream,
    stderr: err.stream,
    env: toEnvironment(variables),
    interrupt: new AbortController().signal,
  });
  return { code, stdout: out.text(), stderr: err.text() };
}

function collect() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

let inside = 0;
const outside = { folder: process.cwd(), mask: process.umask() };

/** The working directory, until the last of the runs that go at once has left it. */
function enter(cwd: string | undefined): Disposable {
  inside += 1;
  if (cwd !== undefined) process.chdir(cwd);
  return {
    [Symbol.dispose]: () => {
      inside -= 1;
      if (inside > 0) return;
      process.chdir(outside.folder);
      process.umask(outside.mask); // export narrows it
    },
  };
}
