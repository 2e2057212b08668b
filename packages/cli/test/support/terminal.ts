// The program at a terminal of 80 columns, or as many as the variable COLUMNS says: in the process of the test, with streams that
// do as a terminal does; or at a pseudo-terminal, which is Python's, as Node has none to give.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { start, toEnvironment } from "./program.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

const SCRIPT = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(["sh", "-c", 'stty cols $COLUMNS rows 24; exec "$@"', "sh"] + sys.argv[1:])))`;

/** Where there is none, that is said on standard error, and its tests are skipped. */
export const hasTerminal = spawnSync("python3", ["-c", "import pty"]).status === 0;
if (!hasTerminal) console.warn("SKIPPED: the tests at a terminal; python3 is not installed");

export type Answers = readonly (readonly [question: string, answer: string])[];

interface Shown {
  readonly code: number | null;
  /** All that is seen, what is typed among it where the program has it shown. */
  readonly shown: string;
}

const CTRL_C = "\u0003";

/** In the process of the test. Gives each answer when its question is there. */
export async function runAtTerminal(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  answers: Answers = [],
): Promise<Shown> {
  const columns = Number(variables["COLUMNS"] ?? 80);
  const { child, ended } = start(args, { NO_COLOR: "1", ...variables }, { columns });
  let isRaw = false;
  Object.assign(child.stdin, { setRawMode: (raw: boolean) => (isRaw = raw) });
  const open = [...answers];
  let [shown, seen] = ["", 0];
  const show = (text: string) => (shown += text.replaceAll("\n", "\r\n"));
  const type = (text: string) => {
    if (!isRaw && text === CTRL_C) return child.kill("SIGINT");
    if (!isRaw) show(text);
    return child.stdin.write(text);
  };
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      show(chunk.toString());
      const [next] = open;
      if (next === undefined || !shown.slice(seen).includes(next[0])) return;
      seen = shown.length;
      open.shift();
      setImmediate(type, next[1]); // nobody types while the question is being written
    });
  const { code } = await ended;
  return { code, shown };
}

/** At a pseudo-terminal, as a process. */
export async function runInTerminal(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  answers: Answers,
): Promise<Shown> {
  const child = spawn("python3", ["-c", SCRIPT, process.execPath, MAIN, ...args], {
    env: toEnvironment({ NO_COLOR: "1", COLUMNS: "80", ...variables }),
  });
  const open = [...answers];
  let [shown, seen] = ["", 0];
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    const [next] = open;
    if (next === undefined || !shown.slice(seen).includes(next[0])) return;
    seen = shown.length;
    open.shift();
    child.stdin.write(next[1]);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, shown };
}
