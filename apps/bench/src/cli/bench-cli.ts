// Measures how long the command line takes to start, compared with an empty Node.js program.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Goal } from "../goals.ts";
import { printTable } from "../table.ts";
import { takeTurns, toTurnMedian } from "../turns.ts";

const TURNS = 20;
const MAX_TIMES_NODE = 1.5;

const PROGRAM = fileURLToPath(new URL("../../../../packages/cli/dist/main.js", import.meta.url));

const STARTS = [
  ["nothing", "node -e 0"],
  ["help", "call-media --help"],
  ["version", "call-media --version"],
  ["command", "call-media search --help"],
  ["compiled", "  with NODE_DISABLE_COMPILE_CACHE=1"],
] as const;

const NOTHING_KEPT = { NODE_DISABLE_COMPILE_CACHE: "1" };

export async function benchCli(): Promise<readonly Goal[]> {
  // Run from the sources, Node.js would strip the types first, which no installed package needs.
  if (!existsSync(PROGRAM)) {
    console.log("\ncli: left out, it is not built (pnpm --filter @call-media/cli... build)");
    return [];
  }
  const turns = await takeTurns(
    {
      nothing: () => measureRun(["-e", "0"]),
      help: () => measureRun([PROGRAM, "--help"]),
      version: () => measureRun([PROGRAM, "--version"]),
      command: () => measureRun([PROGRAM, "search", "--help"]),
      compiled: () => measureRun([PROGRAM, "search", "--help"], NOTHING_KEPT),
    },
    TURNS,
  );
  const lines = STARTS.map(([name, words]) => [
    words,
    toTurnMedian(turns, (turn) => turn[name]).toFixed(0),
    toTurnMedian(turns, (turn) => turn[name] / turn.nothing).toFixed(2),
  ]);
  printTable(`Start of the command line (${TURNS} turns)`, [
    ["process", "ms", "of node"],
    ...lines,
  ]);
  return [
    {
      what: "start of `call-media --help` against `node -e 0`",
      measured: toTurnMedian(turns, ({ help, nothing }) => help / nothing),
      is: "at most",
      limit: MAX_TIMES_NODE,
    },
  ];
}

/** Milliseconds from start to exit of a process. */
async function measureRun(args: readonly string[], variables?: NodeJS.ProcessEnv): Promise<number> {
  const startedMs = performance.now();
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...variables } });
  return performance.now() - startedMs;
}
