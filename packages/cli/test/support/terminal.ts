// The program at a pseudo-terminal of 80 columns, or as many as the variable COLUMNS says. The terminal is Python's, as Node has none to give.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { toEnvironment } from "./program.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

const SCRIPT = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(["sh", "-c", 'stty cols $COLUMNS rows 24; exec "$@"', "sh"] + sys.argv[1:])))`;

/** Where there is none, that is said on standard error, and its tests are skipped. */
export const hasTerminal = spawnSync("python3", ["-c", "import pty"]).status === 0;
if (!hasTerminal) console.warn("SKIPPED: the tests at a terminal; python3 is not installed");

/** Gives each answer when its question is there. */
export async function runInTerminal(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  answers: readonly (readonly [question: string, answer: string])[],
): Promise<{ readonly code: number | null; readonly shown: string }> {
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
