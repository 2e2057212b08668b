// Whether the store keeps to what it promises of large archives: times against those of a small archive, of every right and
// of PostgreSQL; the speed of imports; bytes on the disk.
import type { CallStore, Visibility } from "@call-media/store";
import { createArchive, createTemporaryFolder } from "../archive.ts";
import { type Figures, importRows } from "../bench-import.ts";
import type { Goal } from "../goals.ts";
import { createRows } from "../rows.ts";
import { RESTRICTED } from "../search/queries.ts";
import { type Line, printTable } from "../table.ts";
import { measureBeside, REPEATS, type Rules, type Time } from "./beside.ts";
import { startPostgres } from "./postgres.ts";
import { createPostgresCalls, type PostgresCalls } from "./postgres-calls.ts";
import {
  askStore,
  type Question,
  QUESTIONS,
  type QuestionName,
  sampleCalls,
  toFieldQuestions,
  toThreeFieldQuestions,
} from "./questions.ts";

const SMALL_ROWS = 100_000;
const TRIPLES = 60;
const SLOWEST = 5;

/** `rows` calls against 100,000, or as many when there are fewer; each question is asked `repeats` times. */
export async function benchStore(rows: number, repeats = REPEATS): Promise<readonly Goal[]> {
  await using smallFolder = await createTemporaryFolder();
  await using folder = await createTemporaryFolder();
  const imported = await importRows(folder.path, rows);
  await using small = await createArchive(smallFolder.path, createRows(Math.min(rows, SMALL_ROWS)));
  await using server = await startPostgres();
  if (server === undefined)
    console.log("\nPostgreSQL is not installed: nothing is compared with it.");
  const calls = server && createPostgresCalls(server.sql);
  await calls?.load(createRows(rows));
  await using store = await imported.open();
  const compared = await compareAll({ store, small, calls, rules: { repeats, pid: server?.pid } });
  printCompared(rows, compared, server?.version);
  const samples = await sampleCalls(store);
  const single = await measureEach(store, toFieldQuestions(samples), { repeats });
  const triple = await measureEach(store, toThreeFieldQuestions(samples, TRIPLES), { repeats });
  printSlowest("One field, page 0 and count: the slowest of all fields (ms)", single);
  printSlowest("Three fields of a call, page 0 and count: the slowest of sixty (ms)", triple);
  const farPage = await measureFarPage(store, { repeats });
  const newRights = await measureNewRights(store);
  await printLookUps({ store, small, rules: { repeats } });
  return toGoals({ compared, single, triple, farPage, newRights, imported });
}

type Name = "store" | "small" | "restricted" | "postgres";
type Compared = Readonly<Record<Name, Time | undefined>>;

interface Asked {
  readonly store: CallStore;
  readonly small: CallStore;
  readonly calls: PostgresCalls | undefined;
  readonly rules: Rules;
}

/** The median times of each question: all archives are asked in turns. */
async function compareAll(asked: Asked): Promise<ReadonlyMap<QuestionName, Compared>> {
  await warmUp(asked);
  const compared = new Map<QuestionName, Compared>();
  for (const name of Object.keys(QUESTIONS) as QuestionName[])
    // the keys of the table
    compared.set(name, await compare(QUESTIONS[name], asked));
  return compared;
}

async function compare(question: Question, asked: Asked): Promise<Compared> {
  return await measureBeside<Name>(toAsks(question, asked), asked.rules);
}

function toAsks(question: Question, { store, small, calls }: Asked) {
  return {
    store: askStore(store, question),
    small: askStore(small, question),
    restricted: askStore(store, question, RESTRICTED),
    postgres: calls && askPostgres(calls, question),
  };
}

// A service that runs has long been compiled, and so has the client of a database: that takes some hundred searches.
const WARM_UPS = 5;

async function warmUp(asked: Asked): Promise<void> {
  const asks = Object.values(toAsks(QUESTIONS["agent, page 0 and count"], asked));
  for (let index = 0; index < asked.rules.repeats * WARM_UPS; index += 1)
    for (const ask of asks) await ask?.(index);
}

function askPostgres(calls: PostgresCalls, { toFilter, pageIndex, isCounted }: Question) {
  return async (index: number) => {
    const filter = toFilter(index);
    await calls.page(filter, pageIndex);
    if (isCounted) await calls.count(filter);
  };
}

type Times = ReadonlyMap<string, Time>;

async function measureEach(
  store: CallStore,
  questions: ReadonlyMap<string, Question>,
  rules: Rules,
): Promise<Times> {
  const times = new Map<string, Time>();
  for (const [name, question] of questions) {
    const { store: time } = await measureBeside({ store: askStore(store, question) }, rules);
    if (time !== undefined) times.set(name, time);
  }
  return times;
}

async function printLookUps({ store, small, rules }: Omit<Asked, "calls">): Promise<void> {
  const lines: Line[] = [];
  for (const [name, archive] of [
    ["small", small],
    ["store", store],
  ] as const) {
    const samples = await sampleCalls(archive);
    const at = (index: number) => samples[index % samples.length];
    const asks = {
      byCallId: (index: number) => archive.calls.byCallId(at(index)?.call_id ?? "", RESTRICTED),
      byReference: (index: number) =>
        archive.calls.byReference(at(index)?.ref_id ?? "", RESTRICTED),
    };
    const { byCallId, byReference } = await measureBeside(asks, rules);
    lines.push([name, toText(byCallId?.cpuMs), toText(byReference?.cpuMs)]);
  }
  printTable("By identifier, with few rights (p50, ms of CPU time)", [
    ["", "call id", "reference"],
    ...lines,
  ]);
}

/** In turns with each other alone: after the 12 ms that PostgreSQL takes for the far one, the caches hold nothing of the store. */
async function measureFarPage(store: CallStore, rules: Rules): Promise<number | undefined> {
  const near = askStore(store, QUESTIONS["largest campaign, page 0"]);
  const far = askStore(store, QUESTIONS["largest campaign, pageIndex 200"]);
  const times = await measureBeside({ near, far }, rules);
  return toRatio(times.far, times.near);
}

const NEW_RIGHTS = 20;

/** Rights that were never asked with: what they let be seen has to be read from the index first. */
async function measureNewRights(store: CallStore): Promise<number> {
  const toEyes = (asked: number): Visibility =>
    RESTRICTED.map(({ field, allowed }) => ({
      field,
      allowed: [...allowed.slice(1), `nobody ${asked}`],
    }));
  const question = QUESTIONS["campaign, page 0 and count"];
  const ask = (asked: number) => askStore(store, question, toEyes(asked))(asked);
  const { ask: time } = await measureBeside({ ask }, { repeats: NEW_RIGHTS });
  return time?.cpuMs ?? Number.NaN;
}

const toText = (ms: number | undefined) => ms?.toFixed(2) ?? "";

function printCompared(
  rows: number,
  compared: ReadonlyMap<QuestionName, Compared>,
  version: string | undefined,
): void {
  const lines = [...compared].map(([name, { store, small, restricted, postgres }]): Line => [
    name,
    ...[store?.ms, postgres?.ms].map(toText),
    ...[small, store, restricted, postgres].map((time) => toText(time?.cpuMs)),
    ...[toRatio(store, small), toRatio(restricted, store), toRatio(store, postgres)].map(toText),
  ]);
  const heads = ["ms", "PostgreSQL", "CPU ms: small", "store", "few rights", "PostgreSQL"];
  printTable(
    `${rows.toLocaleString("en")} calls, one year of two, PostgreSQL ${version ?? "none"} (p50)`,
    [["", ...heads, "store/small", "few/store", "store/PostgreSQL"], ...lines],
  );
}

function printSlowest(title: string, times: Times): void {
  const slowest = [...times].toSorted(([, a], [, b]) => b.cpuMs - a.cpuMs).slice(0, SLOWEST);
  printTable(title, [
    ["", "p50", "CPU"],
    ...slowest.map(([name, { ms, cpuMs }]): Line => [name, toText(ms), toText(cpuMs)]),
  ]);
}

function toRatio(a: Time | undefined, b: Time | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a.cpuMs / b.cpuMs;
}

interface Measured {
  readonly compared: ReadonlyMap<QuestionName, Compared>;
  readonly single: Times;
  readonly triple: Times;
  readonly farPage: number | undefined;
  readonly newRights: number;
  readonly imported: Figures;
}

function toGoals(all: Measured): readonly Goal[] {
  const { compared, single, triple, farPage, newRights, imported } = all;
  const worst = (names: readonly QuestionName[], a: Name, b: Name) => {
    const ratios = names.map((name) => toRatio(compared.get(name)?.[a], compared.get(name)?.[b]));
    const measured = ratios.filter((ratio) => ratio !== undefined);
    return measured.length === 0 ? undefined : Math.max(...measured);
  };
  const questions = [...compared.keys()];
  const most = { is: "at most" } as const;
  return [
    {
      ...most,
      what: "page 0 of one field against 100,000 calls",
      measured: worst(["agent, page 0", "campaign, page 0"], "store", "small"),
      limit: 1.5,
    },
    { ...most, what: "pageIndex 200 against page 0", measured: farPage, limit: 2 },
    {
      ...most,
      what: "any field, page and count, ms of CPU time",
      measured: toGreatest(single),
      limit: 15,
    },
    {
      ...most,
      what: "any three fields, page and count, ms of CPU time",
      measured: toGreatest(triple),
      limit: 25,
    },
    {
      ...most,
      what: "three lists of twenty allowed values against every right",
      measured: worst(questions, "restricted", "store"),
      limit: 3,
    },
    {
      ...most,
      what: "such rights for the first time, page and count, ms of CPU time",
      measured: newRights,
      limit: 100,
    },
    {
      ...most,
      what: "the store against PostgreSQL, worst question",
      measured: worst(questions, "store", "postgres"),
      limit: 0.5,
    },
    {
      is: "at least",
      what: "import: rows per second of CPU time, the last tenth of them",
      measured: imported.rowsPerCpuSecond,
      limit: 20_000,
    },
    { ...most, what: "bytes of the archive per row", measured: imported.bytesPerRow, limit: 1_000 },
  ];
}

function toGreatest(times: Times): number {
  return Math.max(...[...times.values()].map(({ cpuMs }) => cpuMs));
}
