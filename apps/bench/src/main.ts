// The command line of the benchmarks.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { benchImport } from "./bench-import.ts";
import { benchIndex } from "./choice/bench-index.ts";
import { benchHttp } from "./http/bench-http.ts";
import { benchSearch } from "./search/bench-search.ts";

const USAGE = `bench [http|import|search|index] [--rows N]

Without a name all of them run, which takes about six minutes. --rows is the number of generated calls: 100,000, and for
search 1,000,000 as well. Archives are made in the folder for temporary files (up to 1.5 GB) and removed.`;

const SMALL = 100_000;
const LARGE = 1_000_000;
// Below this no campaign has a page 200, and times are those of an empty archive.
const MIN_ROWS = 10_000;

const BENCHES: Readonly<Record<string, (rows: number | undefined) => Promise<void>>> = {
  http: (rows = SMALL) => benchHttp(rows),
  import: (rows = SMALL) => benchImport(rows),
  search: (rows = LARGE) => benchSearch(rows > SMALL ? [SMALL, rows] : [rows]),
  index: (rows = SMALL) => benchIndex(rows),
};

const OPTIONS = { rows: { type: "string" }, help: { type: "boolean", short: "h" } } as const;

interface Command {
  readonly names: readonly string[];
  readonly rows: number | undefined;
  readonly isHelpAsked: boolean;
}

/** Throws a sentence for people. */
function parseCommand(): Command {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const unknown = positionals.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown !== undefined) throw new TypeError(`there is no bench "${unknown}"`);
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && !(Number.isSafeInteger(rows) && rows >= MIN_ROWS))
    throw new TypeError(`--rows must be an integer from ${MIN_ROWS} up, not "${values.rows}"`);
  return { names: positionals, rows, isHelpAsked: values.help ?? false };
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

async function runBenches({ names, rows, isHelpAsked }: Command): Promise<void> {
  if (isHelpAsked) return console.log(USAGE);
  console.log(
    `${availableParallelism()} cores, Node.js ${process.version}, ${process.platform}.`,
    "Compare figures of one run only: what else the machine does is in all of them.",
  );
  for (const [name, run] of Object.entries(BENCHES))
    if (names.length === 0 || names.includes(name)) await run(rows);
}

// An interrupted run leaves no archives behind: they go when the process exits.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const command = readCommand();
if (command !== undefined) await runBenches(command);
