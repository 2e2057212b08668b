// The operator's program in a test: run to its end, or started to be killed.
import { onTestFinished } from "vitest";
import { type Ended, type Program, startProcess } from "./process.ts";

/** Starts `call-media-server`; killed with the test at the latest. */
export function startProgram(args: readonly string[]): Program {
  const program = startProcess(args);
  onTestFinished(() => void program.kill());
  return program;
}

// Far beyond any command of the tests on a machine that is merely busy.
const HANG_MS = 120_000;

/** Runs it to its end; killed when that does not come. Throws what it said when the exit code is not one of `codes`. */
export async function runProgram(
  args: readonly string[],
  codes: readonly number[] = [0],
): Promise<Ended> {
  const program = startProgram(args);
  const timer = setTimeout(() => void program.kill(), HANG_MS);
  const ended = await program.ended;
  clearTimeout(timer);
  if (ended.code !== null && codes.includes(ended.code)) return ended;
  throw new Error(`${args.join(" ")} ended with ${ended.code ?? ended.signal}: ${ended.stderr}`);
}
