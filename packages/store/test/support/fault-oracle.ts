// What must hold after work with one fault: the archive in memory is the oracle.
import { isDeepStrictEqual } from "node:util";
import { ArchiveError, type CallStore, StoreFault, verifyMedia } from "../../src/index.ts";
import type { Visibility } from "../../src/index.ts";
import { createMemoryStore } from "../../src/memory/memory-store.ts";
import { openMaintenance, openStore, type Places } from "../../src/open.ts";
import { readAll as readLog } from "../../src/suite/access-log.ts";
import { adding, CALL_IDS, FILES, readAll } from "../../src/suite/random-archive.ts";
import {
  type Batches,
  fill,
  isKept,
  type Lines,
  LOGGED,
  spoilWork,
  type World,
} from "./fault-world.ts";
import type { Fault } from "./faults.ts";
import { SEEN, type Task, WORK, type Work } from "./spoiled-work.ts";

export interface Outcome {
  /** What does not hold, in sentences. */
  readonly problems: readonly string[];
  /** False if no such call was made. */
  readonly isMet: boolean;
}

/** Does the work with the fault, and judges. */
export async function tryFault(world: World, fault: Fault): Promise<Outcome> {
  return await spoilWork(world, fault, async ({ task, lines, signal, errors, isMet }) => {
    if (signal === "SIGTERM") return { isMet, problems: ["it hangs"] };
    if (errors !== "") return { isMet, problems: [`it said to nobody: ${errors}`] };
    const judging = fault.kind === "rot" ? judgeRotten : judge;
    const judged = judging({ world, task, lines, isFlipped: fault.kind === "flip" });
    const problems = await judged.catch((error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      // A migration that broke off has said so, and what completes it.
      const isHalf = text.includes('run "migrate" again, which completes it');
      return isHalf ? [] : [`it cannot be used: ${text}`];
    });
    return { isMet, problems };
  });
}

interface Case {
  readonly world: World;
  readonly task: Task;
  readonly lines: Lines;
  readonly isFlipped: boolean;
}

const saidOf = ({ lines }: Pick<Case, "lines">, what: string) =>
  lines.filter(([one]) => one === what).map(([, said]) => said);
const promisedOf = (given: Case) => Math.max(0, ...saidOf(given, "done").map(Number));

async function judge(given: Case): Promise<string[]> {
  const problems = await JUDGES[given.world.work](given);
  return [...problems, ...(await examine(given.task.places, given))];
}

/** Nothing is called well that is not, and whoever opens it finds it as it should be. */
async function examine(places: Places, { isFlipped }: Pick<Case, "isFlipped">): Promise<string[]> {
  const archive = await openMaintenance(places);
  const errors = (await archive.check()).filter(({ level }) => level === "error");
  const { damages } = await verifyMedia(archive);
  await using store = await openStore(places);
  const { fault } = await store.accessLog.verify();
  const found = [...errors.map(({ what }) => what), ...damages.map((one) => one.fault)];
  const problems = isFlipped ? [] : found.map((what) => `the doctor says: ${what}`);
  return fault === undefined ? problems : [...problems, `the access log: ${fault}`];
}

type State = Awaited<ReturnType<typeof readState>>;

/** All that the archive tells one who may see everything, and one who may not. */
async function readState(store: CallStore) {
  const state = { everything: await tell(store, "everything"), seen: await tell(store, SEEN) };
  return JSON.parse(JSON.stringify(state)) as typeof state;
}

async function tell(store: CallStore, visibility: Visibility) {
  const sounds: string[][] = [];
  for (const callId of CALL_IDS) {
    const heard: string[] = [];
    for (const { media } of await store.calls.recordings({ callId }, visibility))
      heard.push(await listen(store, media));
    sounds.push(heard);
  }
  return { ...(await readAll(store, visibility)), sounds };
}

async function listen({ media }: CallStore, of: Parameters<CallStore["media"]["open"]>[0]) {
  const file = await media.open(of);
  const buffer = Buffer.alloc(of.bytes);
  try {
    await file.read(buffer);
  } finally {
    await file.close();
  }
  return buffer.toString();
}

async function readPlaces(places: Places): Promise<State> {
  await using store = await openStore(places);
  return await readState(store);
}

async function readTotals(places: Places) {
  await using store = await openStore(places);
  return await store.importedRows();
}

type Step = Batches | { readonly erased: Task["filter"] };

const toModel = async (...steps: readonly Step[]) => await readState(await createModel(steps));

async function createModel(steps: readonly Step[]): Promise<CallStore> {
  const model = createMemoryStore();
  for (const step of steps)
    if ("erased" in step) await model.maintenance.erase(step.erased, { operator: "o" });
    else await fill(model, step);
  return model;
}

/** Of the states, the one that was found, from the promised one on. */
function find(found: State, states: readonly State[], promised: number): string[] {
  const index = states.findLastIndex((state) => isDeepStrictEqual(state, found));
  if (index >= promised) return [];
  const what =
    index < 0 ? "no state of the work" : `state ${index}, after ${promised} was promised`;
  return [`it has ${what}: ${describe(found, states.at(-1))}`];
}

function describe(found: State, last: State | undefined): string {
  for (const part of ["everything", "seen"] as const)
    if (!isDeepStrictEqual(found[part], last?.[part]))
      return `${part}: ${JSON.stringify(found[part])}, and in the end ${JSON.stringify(last?.[part])}`;
  return "as in the end";
}

/** Does the same work without a fault. */
async function again({ task }: Case): Promise<Lines> {
  const lines: (readonly [string, ...unknown[]])[] = [];
  await WORK[task.work](task, (what, ...said) => lines.push([String(what), ...said]));
  return lines;
}

async function hasRow(places: Places, operation: string): Promise<string[]> {
  await using store = await openStore(places);
  const rows = await readLog(store);
  return rows.some((one) => one.operation === operation) ? [] : [`no row says ${operation}`];
}

const JUDGES: Readonly<Record<Work, (given: Case) => Promise<string[]>>> = {
  import: async (given) => {
    const { world, task } = given;
    const { older, batches } = world.rows;
    const states: State[] = [];
    for (let end = 0; end <= batches.length; end += 1)
      states.push(await toModel([older], batches.slice(0, end)));
    const found = await readPlaces(task.places);
    const problems = find(found, states, promisedOf(given));
    const from = states.findLastIndex((state) => isDeepStrictEqual(state, found));
    const kept = batches.slice(0, Math.max(0, from));
    const totals = await (await createModel([[older], kept])).importedRows();
    if (!isDeepStrictEqual(await readTotals(task.places), totals))
      problems.push(`its rows are not counted as ${JSON.stringify(totals)}`);
    await again(given);
    const expected = await toModel([older], kept, batches);
    return [...problems, ...find(await readPlaces(task.places), [expected], 0)];
  },
  purge: async (given) => {
    const { world, task } = given;
    const { older, newer, filter } = world.rows;
    const [before, after] = [
      await toModel([older], [newer]),
      await toModel([older], [newer], { erased: filter }),
    ];
    const found = await readPlaces(task.places);
    const isBegun = !isDeepStrictEqual(found, before);
    const problems =
      promisedOf(given) > 0
        ? find(found, [after], 0)
        : [...findPart(found, before, after), ...(await findUnlike(task.places, found))];
    if (isBegun) problems.push(...(await hasRow(task.places, "purge")));
    await again(given);
    const { unreferenced, leftovers } = await verifyMedia(await openMaintenance(task.places));
    const left = [...unreferenced, ...leftovers].map((name) => `${name} is left`);
    return [...problems, ...left, ...find(await readPlaces(task.places), [after], 0)];
  },
  backup: async (given) => {
    const { world, task } = given;
    const { older, newer } = world.rows;
    const states = [await toModel([older]), await toModel([older], [newer])];
    const isDone = promisedOf(given) > 0;
    const problems = isDone ? await hasRow(task.places, "backup") : [];
    if (isDone || isKept(world.seed)) problems.push(...(await findRestored(given, states)));
    await again(given);
    return [...problems, ...(await findRestored({ ...given, lines: [["done", 1]] }, states))];
  },
  restore: async (given) => await judgeCopy(given, "restore", given.task.target),
  migrate: async (given) => await judgeCopy(given, "migrate", given.task.places),
  serve: async (given) => {
    const { world, task } = given;
    const state = await toModel([world.rows.older], [world.rows.newer]);
    const problems = find(await readPlaces(task.places), [state], 0);
    problems.push(...findWrong(given, state));
    await using store = await openStore(task.places);
    const logged = new Set((await readLog(store)).map(({ requestId }) => requestId));
    const isClosed = given.lines.some(([what]) => what === "closed");
    const answered = [...saidOf(given, "row"), ...(isClosed ? saidOf(given, "soon") : [])];
    const missing = answered.filter((id) => !logged.has(String(id)));
    return [...problems, ...missing.map((id) => `no row: ${String(id)}`)];
  },
};

/** What is answered and copied is what was written, or it is refused; if not even that, the doctor names it. */
async function judgeRotten(given: Case): Promise<string[]> {
  const { world, task } = given;
  const { older, newer } = world.rows;
  const expected = await toModel([older], [newer]);
  const problems = world.work === "serve" ? findWrong(given, expected) : [];
  if (promisedOf(given) > 0)
    problems.push(...(await findCopied(given, expected)).map((one) => `done, and ${one}`));
  if (world.work === "restore") return problems;
  const archive = await openMaintenance(task.places);
  const errors = (await archive.check()).filter(({ level }) => level === "error");
  const damages = await verifyMedia(archive).then((report) => report.damages, toNamed);
  if (errors.length + damages.length > 0) return problems;
  const found = await readPlaces(task.places).catch(toNamed);
  if (Array.isArray(found)) return problems;
  return [...problems, ...find(found, [expected], 0), ...(await findUnlogged(task.places))];
}

/** What is said in one line is said. */
function toNamed(error: unknown): [Error] {
  if (error instanceof ArchiveError || error instanceof StoreFault) return [error];
  throw error;
}

async function findCopied({ task }: Case, expected: State): Promise<string[]> {
  const { work, target, backup } = task;
  if (work === "backup") await (await openMaintenance(target)).restore?.(backup);
  return find(await readPlaces(target), [expected], 0);
}

async function findUnlogged(places: Places): Promise<string[]> {
  await using store = await openStore(places);
  if ((await store.accessLog.verify()).fault !== undefined) return [];
  const logged = new Set((await readLog(store)).map(({ requestId }) => requestId));
  return LOGGED.filter((id) => !logged.has(id)).map((id) => `no row: ${id}`);
}

/** Nothing was answered that is not so. */
function findWrong(given: Case, { seen }: State): string[] {
  const { records, recordCount, sounds } = seen;
  const found = saidOf(given, "found")
    .filter((one) => !isDeepStrictEqual(one, { records, recordCount }))
    .map((one) => `it was found: ${JSON.stringify(one)}`);
  const heard = given.lines
    .filter(([what]) => what === "heard")
    .filter(
      ([, callId, sound]) => !sounds[CALL_IDS.indexOf(String(callId))]?.includes(String(sound)),
    )
    .map(([, callId, sound]) => `of ${String(callId)} was heard: ${String(sound)}`);
  return [...found, ...heard];
}

/** A purge takes one after the other: nothing of what stays, and nothing that was not there. */
function findPart(found: State, before: State, after: State): string[] {
  const list = ({ everything: { records, calls } }: State) =>
    [...records, ...calls.flatMap((one) => [...one.records, ...one.files, ...one.chat])].map(
      (one) => JSON.stringify(one),
    );
  const [there, earlier] = [new Set(list(found)), new Set(list(before))];
  const come = [...there].filter((one) => !earlier.has(one));
  const lost = list(after).filter((one) => !there.has(one));
  return [...come.map((one) => `it came: ${one}`), ...lost.map((one) => `it is lost: ${one}`)];
}

/** Index, counts and rights say the same as the records alone. */
async function findUnlike(places: Places, found: State): Promise<string[]> {
  const model = createMemoryStore();
  for (const name of FILES) await adding(model)(name);
  await using scan = await (await openMaintenance(places)).scan();
  await using session = await model.openImport();
  for await (const { items } of scan.rows()) await session.write([items]);
  return find(found, [await readState(model)], 0);
}

async function findRestored(given: Case, states: readonly State[]): Promise<string[]> {
  const { task, isFlipped } = given;
  const target = { records: `${task.target.records}-${Math.random()}` };
  const report = await (await openMaintenance(target)).restore?.(task.backup);
  const damages = report?.damages ?? [];
  if (isFlipped && damages.length > 0) return [];
  const problems = damages.map(({ fault }) => `the backup is damaged: ${fault}`);
  problems.push(...find(await readPlaces(target), states, promisedOf(given)));
  return [...problems, ...(await examine(target, given))];
}

async function judgeCopy(given: Case, operation: string, logged: Places): Promise<string[]> {
  const { world, task } = given;
  const { target } = task;
  const states = [await toModel([world.rows.older], [world.rows.newer])];
  const problems: string[] = [];
  // No copy reads back what it has written: that is for `verify`, which has to name it.
  if (given.isFlipped && (await isNamed(target))) return problems;
  const isDone = promisedOf(given) > 0;
  if (isDone) problems.push(...find(await readPlaces(target), states, 0));
  // What was not finished goes on; what was needs nothing.
  const lines = await again(given).catch((error: unknown) => {
    if (error instanceof ArchiveError && error.message.includes("is not empty")) return undefined;
    throw error;
  });
  if (lines !== undefined && !lines.some(([what]) => what === "done"))
    problems.push("it cannot be completed");
  problems.push(...find(await readPlaces(target), states, 0));
  problems.push(...(await hasRow(logged, operation)));
  return [...problems, ...(await examine(target, given))];
}

async function isNamed(places: Places): Promise<boolean> {
  const report = await verifyMedia(await openMaintenance(places)).catch(toNamed);
  return !Array.isArray(report) && report.damages.length > 0;
}
