// Measures searches by words (D30) in both adapters, and their cost during an import.
import { type CallStore, isFault } from "@call-media/store";
import { parseQuery } from "@call-media/words";
import { createArchive, createTemporaryFolder } from "../archive.ts";
import type { Goal } from "../goals.ts";
import { toMedian } from "../measure.ts";
import { RESTRICTED, YEAR } from "../search/queries.ts";
import { printTable } from "../table.ts";
import { measureBeside, REPEATS, type Rules, type Time } from "./beside.ts";
import { createPostgresArchive } from "./postgres.ts";
import { toText } from "./store-figures.ts";
import { createTexts } from "./texts.ts";

/** Queries as a user types them. */
const WORD_QUESTIONS: Readonly<Record<string, string>> = {
  "1 in 20 calls": "zzcommon",
  "1 in 1,000": "zzmiddle",
  "three words": "zzcommon the we",
  "a beginning": "zz*",
  "a phrase": '"early termination"',
  '"to the"': '"to the"',
  "an ending of 4 digits": "0121",
};

const WAYS = {
  page: { isCounted: false, isRestricted: false },
  "page and count": { isCounted: true, isRestricted: false },
  "with few rights": { isCounted: true, isRestricted: true },
};

/** Measures `rows` calls, a third of them with a transcript. */
export async function benchWords(rows: number, repeats = REPEATS): Promise<readonly Goal[]> {
  const imports = await measureImports(Math.min(rows, IMPORTED_ROWS));
  await using folder = await createTemporaryFolder();
  await using store = await createArchive(folder.path, createTexts(rows));
  await using archive = await createPostgresArchive(createTexts(rows), rows);
  const stores = { folder: store, postgres: archive.store };
  const rules = { repeats, pids: archive.pids };
  const times = new Map<string, Times>();
  for (const [name, typed] of Object.entries(WORD_QUESTIONS))
    for (const [way, asked] of Object.entries(WAYS))
      times.set(`${name}, ${way}`, await measure(stores, { typed, ...asked }, rules));
  const names = ["folder", `PostgreSQL ${archive.version}`];
  printTable(`Words in ${rows.toLocaleString("en")} calls, one year of two (p50, ms of CPU time)`, [
    ["", ...names],
    ...[...times].map(([name, { folder: own, postgres }]) => [
      name,
      ...[own, postgres].map((time) => toText(time?.cpuMs)),
    ]),
  ]);
  return toGoals(rows, times, imports);
}

type Name = "folder" | "postgres";
type Times = Readonly<Record<Name, Time | undefined>>;

interface Asked {
  readonly typed: string;
  readonly isCounted: boolean;
  readonly isRestricted: boolean;
}

async function search(store: CallStore, { typed, isCounted, isRestricted }: Asked) {
  const words = parseQuery(typed);
  const visibility = isRestricted ? RESTRICTED : ("everything" as const);
  const asked = { ...YEAR, filter: {}, words, visibility, pageIndex: 0, isCounted };
  return (await store.calls.search(asked)).recordCount;
}

/** Skips an adapter that rejects the search because it would take too long. */
async function measure(
  stores: Readonly<Record<Name, CallStore>>,
  asked: Asked,
  rules: Rules,
): Promise<Times> {
  const asks: Partial<Record<Name, () => Promise<unknown>>> = {};
  const counts = new Set<number | undefined>();
  for (const [name, store] of Object.entries(stores) as [Name, CallStore][]) {
    try {
      counts.add(await search(store, asked));
      asks[name] = () => search(store, asked);
    } catch (error) {
      if (!isFault(error, "busy")) throw error;
    }
  }
  if (counts.size > 1) throw new Error(`not the same calls: ${[...counts].join()}`);
  return await measureBeside(asks as Record<Name, () => Promise<unknown>>, rules);
}

/** Enough to merge segments; more would double the time of the measurement. */
const IMPORTED_ROWS = 100_000;
const IMPORTS = 3;

/** The CPU time of importing texts that are searched by words, relative to the same texts in another field. */
async function measureImports(count: number): Promise<number> {
  const costs = { transcript: [] as number[], custom_field_20: [] as number[] };
  for (let turn = 0; turn < IMPORTS; turn += 1)
    for (const field of ["transcript", "custom_field_20"] as const) {
      await using folder = await createTemporaryFolder();
      const given = [...createTexts(count, field)];
      const before = process.cpuUsage();
      await using _ = await createArchive(folder.path, given);
      const { user, system } = process.cpuUsage(before);
      costs[field].push((user + system) / count);
    }
  const [searched, stored] = [toMedian(costs.transcript), toMedian(costs.custom_field_20)];
  printTable("An import of texts of 200 words (CPU us a call)", [
    ["as transcripts", "in a field without words", "ratio"],
    [toText(searched), toText(stored), (searched / stored).toFixed(2)],
  ]);
  return searched / stored;
}

function toGoals(
  rows: number,
  times: ReadonlyMap<string, Times>,
  imports: number,
): readonly Goal[] {
  const slowest = (way: keyof typeof WAYS) => {
    const { folder, postgres } = times.get(`1 in 20 calls, ${way}`) ?? {};
    return Math.max(folder?.cpuMs ?? Number.NaN, postgres?.cpuMs ?? Number.NaN);
  };
  const most = { is: "at most" } as const;
  const calls = `${rows.toLocaleString("en")} calls`;
  const what = `${calls}, a word of 1 in 20, slower adapter, ms of CPU time`;
  return [
    { ...most, what: `${what}: page`, measured: slowest("page"), limit: 15 },
    { ...most, what: `${what}: count of a year`, measured: slowest("page and count"), limit: 200 },
    { ...most, what: `${what}: with few rights`, measured: slowest("with few rights"), limit: 250 },
    { ...most, what: "import of transcripts against none", measured: imports, limit: 1.7 },
  ];
}
