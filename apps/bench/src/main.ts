// The command line of the benchmarks.
import { execFileSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { benchImport } from "./bench-import.ts";
import { benchCli } from "./cli/bench-cli.ts";
import { benchExport } from "./export/bench-export.ts";
import { type Goal, toGoalLines, writeGoals } from "./goals.ts";
import { benchImportLoad } from "./load/bench-import-load.ts";
import { benchStore } from "./store/bench-store.ts";
import { benchWords } from "./store/bench-words.ts";
import { printTable } from "./table.ts";

const FEW = 20_000;
const SMALL = 100_000;
const MEDIUM = 300_000;
const LARGE = 1_000_000;
// With fewer rows, no campaign has a page 200, and the times are those of an empty archive.
const MIN_ROWS = 10_000;

type Bench = (rows: number | undefined) => Promise<void | readonly Goal[]>;

const BENCHES: Readonly<Record<string, Bench>> = {
  import: (rows = SMALL) => benchImport(rows),
  store: (rows = MEDIUM) => benchStore(rows),
  words: (rows = MEDIUM) => benchWords(rows),
  "import-load": (rows = LARGE) => benchImportLoad(rows),
  cli: () => benchCli(),
  export: (rows = FEW) => benchExport(rows),
};

const USAGE = `bench [${Object.keys(BENCHES).join("|")}]... [--rows N] [--write]

Without a name all of them run, which takes about 14 minutes. --rows is the number of generated calls: 100,000,
300,000 for store and words, 1,000,000 for import-load and 20,000 for export. --write puts the goals and their measured figures into the README of
this app. Archives are created in the folder for temporary files (up to 4 GB) and removed.`;

const OPTIONS = {
  rows: { type: "string" },
  write: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

interface Command {
  readonly names: readonly string[];
  readonly rows: number | undefined;
  readonly isWritten: boolean;
  readonly isHelpAsked: boolean;
}

/** Throws an Error with a message for the user. */
function parseCommand(): Command {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const { write = false, help = false } = values;
  const unknown = positionals.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown !== undefined) throw new TypeError(`unknown bench "${unknown}"`);
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && !(Number.isSafeInteger(rows) && rows >= MIN_ROWS))
    throw new TypeError(`--rows must be an integer from ${MIN_ROWS} up, not "${values.rows}"`);
  return { names: positionals, rows, isWritten: write, isHelpAsked: help };
}

function readCommand(): Command | undefined {
  try {
    return parseCommand();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function runBenches({ names, rows, isWritten, isHelpAsked }: Command): Promise<void> {
  if (isHelpAsked) return console.log(USAGE);
  const { cores, load, day } = describeRun();
  console.log(
    `${cores} cores, load ${load}, Node.js ${process.version}, ${process.platform}.`,
    "Compare figures of one run only: what else the machine does is in all of them.",
  );
  const goals: Goal[] = [];
  for (const [name, run] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    settleDisk();
    goals.push(...((await run(rows)) ?? []));
  }
  if (goals.length === 0) return;
  const when = `${day}, ${cores} cores, load ${load}`;
  printTable("Goals", toGoalLines(goals, when));
  if (isWritten) await writeGoals(goals, when);
}

// Otherwise files of the previous bench would be written to disk during the next one.
function settleDisk(): void {
  if (process.platform !== "win32") execFileSync("sync");
}

// The load before the start: competing programs make all figures worse.
function describeRun(): { readonly cores: number; readonly load: string; readonly day: string } {
  return {
    cores: availableParallelism(),
    load: loadavg()[0]?.toFixed(0) ?? "",
    day: new Date().toISOString().slice(0, 10),
  };
}

// An interrupted run leaves no archives: they are removed when the process exits.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const command = readCommand();
if (command !== undefined) await runBenches(command);
