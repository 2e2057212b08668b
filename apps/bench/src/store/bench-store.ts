// Checks the store's promises for large archives. It compares times with a small archive, with restricted rights, and with the
// same archive in PostgreSQL. It also measures import speed and bytes on disk.
import type { CallStore, Restriction, Visibility } from "@call-media/store";
import { createArchive, createTemporaryFolder } from "../archive.ts";
import { importRows } from "../bench-import.ts";
import type { Goal } from "../goals.ts";
import { createRows } from "../rows.ts";
import { RESTRICTED } from "../search/queries.ts";
import { type Line, printTable } from "../table.ts";
import { measureBeside, REPEATS, type Rules, type Time } from "./beside.ts";
import { createPostgresArchive, type PostgresArchive } from "./postgres.ts";
import {
  askStore,
  type Question,
  QUESTIONS,
  type QuestionName,
  sampleCalls,
  toFieldQuestions,
  toThreeFieldQuestions,
} from "./questions.ts";
import {
  type Compared,
  type Contender,
  printCompared,
  printSlowest,
  type Times,
  toGoals,
  toRatio,
  toText,
} from "./store-figures.ts";

const SMALL_ROWS = 100_000;
const TRIPLES = 60;

/** Compares `rows` calls with 100,000, or with `rows` if fewer. Each question is asked `repeats` times. */
export async function benchStore(rows: number, repeats = REPEATS): Promise<readonly Goal[]> {
  await using smallFolder = await createTemporaryFolder();
  await using folder = await createTemporaryFolder();
  const imported = await importRows(folder.path, rows);
  await using small = await createArchive(smallFolder.path, createRows(Math.min(rows, SMALL_ROWS)));
  await using postgres = await createPostgresArchive(createRows(rows), rows);
  await using store = await imported.open();
  const rules = { repeats, pids: postgres.pids };
  const compared = await compareAll({ store, small, postgres, rules });
  printCompared(compared, rows, postgres);
  const samples = await sampleCalls(store);
  const single = await measureEach(store, toFieldQuestions(samples), { repeats });
  const triple = await measureEach(store, toThreeFieldQuestions(samples, TRIPLES), { repeats });
  printSlowest("One field, page 0 and count: the slowest of all fields (ms)", single);
  printSlowest("Three fields of a call, page 0 and count: the slowest of sixty (ms)", triple);
  const farPage = await measureFarPage(store, { repeats });
  const newRights = await measureNewRights(store);
  await printLookUps({ small, store, PostgreSQL: postgres.store }, rules);
  return toGoals({ compared, single, triple, farPage, newRights, imported });
}

interface Asked {
  readonly store: CallStore;
  readonly small: CallStore;
  readonly postgres: PostgresArchive;
  readonly rules: Rules;
}

/** The median times of each question, measured on all archives in alternation. */
async function compareAll(asked: Asked): Promise<ReadonlyMap<QuestionName, Compared>> {
  await warmUp(asked);
  const compared = new Map<QuestionName, Compared>();
  for (const name of Object.keys(QUESTIONS) as QuestionName[])
    // the keys of the table
    compared.set(name, await compare(QUESTIONS[name], asked));
  return compared;
}

async function compare(question: Question, asked: Asked): Promise<Compared> {
  return await measureBeside<Contender>(toAsks(question, asked), asked.rules);
}

function toAsks(question: Question, { store, small, postgres }: Asked) {
  return {
    store: askStore(store, question),
    small: askStore(small, question),
    restricted: askStore(store, question, RESTRICTED),
    postgres: askStore(postgres.store, question),
    postgresRestricted: askStore(postgres.store, question, RESTRICTED),
  };
}

// A running service is already compiled, as is a database client; that takes some hundred searches.
const WARM_UPS = 5;

async function warmUp(asked: Asked): Promise<void> {
  const asks = Object.values(toAsks(QUESTIONS["agent, page 0 and count"], asked));
  for (let index = 0; index < asked.rules.repeats * WARM_UPS; index += 1)
    for (const ask of asks) await ask(index);
}

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

async function printLookUps(
  archives: Readonly<Record<string, CallStore>>,
  rules: Rules,
): Promise<void> {
  const lines: Line[] = [];
  for (const [name, archive] of Object.entries(archives)) {
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

/** Alternates only these two: after the 12 ms of the far page in PostgreSQL, the caches hold nothing of the store. */
async function measureFarPage(store: CallStore, rules: Rules): Promise<number | undefined> {
  const near = askStore(store, QUESTIONS["largest campaign, page 0"]);
  const far = askStore(store, QUESTIONS["largest campaign, pageIndex 200"]);
  const times = await measureBeside({ near, far }, rules);
  return toRatio(times.far, times.near);
}

const NEW_RIGHTS = 20;

/** Measures rights used for the first time: the calls they make visible must first be read from the index. */
async function measureNewRights(store: CallStore): Promise<number> {
  const [first, ...others] = RESTRICTED;
  const toEyes = (asked: number): Visibility => {
    const toOther = ({ field, allowed }: Restriction): Restriction => ({
      field,
      allowed: [...allowed.slice(1), `nobody ${asked}`],
    });
    return [toOther(first), ...others.map(toOther)];
  };
  const question = QUESTIONS["campaign, page 0 and count"];
  const ask = (asked: number) => askStore(store, question, toEyes(asked))(asked);
  const { ask: time } = await measureBeside({ ask }, { repeats: NEW_RIGHTS });
  return time?.cpuMs ?? Number.NaN;
}
