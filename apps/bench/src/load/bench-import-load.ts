// Measures reads during an import: rounds of the same load with and without an import alternate.
import { join } from "node:path";
import type { Goal } from "../goals.ts";
import { createRows, writeJsonl } from "../rows.ts";
import { SEARCH_PATH, toAgent, toCampaign } from "../search/queries.ts";
import { runProgram, startServing } from "../serving/program.ts";
import { printTable } from "../table.ts";
import { takeTurns, toTurnMedian, type Turn } from "../turns.ts";
import { type CallsWorld, openCallsWorld } from "./calls-world.ts";
import { type Asked, type Load, sendLoad } from "./load.ts";

const TURNS = 3;
const CLIENTS = 16;
const MIN_SHARE = 0.5;
// The size of the archive before the first import.
const ARCHIVE_ROWS = 100_000;
// The length of a round without an import; a round with one ends with the import.
const QUIET_ROUND_MS = 3_000;

type Kind = "reads" | "readsBeside" | "searches" | "searchesBeside";

/** Imports `rows` calls, a part in every other round. */
export async function benchImportLoad(rows: number): Promise<readonly Goal[]> {
  await using world = await openCallsWorld(ARCHIVE_ROWS);
  const logFile = join(world.folder, "service.log");
  await using service = await startServing({ directory: world.directory, logFile });
  const importRows = createImporter(world, Math.ceil(rows / (2 * (TURNS + 1))));
  const { authorization } = world;
  const measure = async (asked: readonly Asked[], isOver: Load["isOver"]): Promise<number> => {
    const load = { port: service.port, asked, authorization, clients: CLIENTS, isOver };
    const { answers, elapsedMs } = await sendLoad(load);
    return (answers * 1_000) / elapsedMs;
  };
  const measureQuiet = (asked: readonly Asked[]) =>
    measure(asked, (_, elapsedMs) => elapsedMs > QUIET_ROUND_MS);
  const measureBeside = async (asked: readonly Asked[]) => {
    let isImported = false;
    const imported = importRows().then(() => (isImported = true));
    const [rate] = await Promise.all([measure(asked, () => isImported), imported]);
    return rate;
  };
  const searches = createSearches();
  const turns = await takeTurns<Kind, number>(
    {
      reads: () => measureQuiet(world.asked),
      readsBeside: () => measureBeside(world.asked),
      searches: () => measureQuiet(searches),
      searchesBeside: () => measureBeside(searches),
    },
    TURNS,
  );
  return report(rows, turns);
}

function report(rows: number, turns: readonly Turn<Kind, number>[]): readonly Goal[] {
  const reads = toTurnMedian(turns, (turn) => turn.readsBeside / turn.reads);
  const searches = toTurnMedian(turns, (turn) => turn.searchesBeside / turn.searches);
  const toLine = (name: string, kinds: readonly [Kind, Kind], share: number) => [
    name,
    ...kinds.map((kind) => toTurnMedian(turns, (turn) => turn[kind]).toFixed(0)),
    share.toFixed(2),
  ];
  printTable(`Requests a second while ${rows.toLocaleString("en")} calls are imported`, [
    ["", "no import", "import", "share"],
    toLine("metadata by call id", ["reads", "readsBeside"], reads),
    toLine("search, a page of 50", ["searches", "searchesBeside"], searches),
  ]);
  const goal = { is: "at least", limit: MIN_SHARE } as const;
  return [
    { ...goal, what: "reads by call id during an import against none", measured: reads },
    { ...goal, what: "searches during an import against none", measured: searches },
  ];
}

/** Each call imports further rows with the program, in a separate process. */
function createImporter({ folder, directory }: CallsWorld, rows: number): () => Promise<void> {
  const source = join(folder, "calls.jsonl");
  const logFile = join(folder, "import.log");
  let part = 0;
  return async () => {
    part += 1;
    await writeJsonl(source, createPart(rows, part));
    await runProgram(["import", "--data", directory, "--format", "jsonl", source], logFile);
  };
}

function* createPart(rows: number, part: number) {
  for (const row of createRows(rows, part + 1)) yield { ...row, call_id: `${part}-${row.call_id}` };
}

function createSearches(): readonly Asked[] {
  return Array.from({ length: 100 }, (_, index) => ({
    path: SEARCH_PATH,
    body: JSON.stringify(index % 2 === 0 ? toAgent(index) : toCampaign(index)),
  }));
}
