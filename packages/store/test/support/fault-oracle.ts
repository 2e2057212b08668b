// Work on an archive with one fault, and what must hold afterwards: the archive in memory is the oracle.
import { spawn } from "node:child_process";
import { cp, mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { KEYS, type Objects, openS3 } from "@call-media/test-setup/s3-server";
import * as fc from "fast-check";
import { ArchiveError, type CallStore, verifyMedia } from "../../src/index.ts";
import { createMemoryStore } from "../../src/memory/memory-store.ts";
import { createStore, openMaintenance, openStore, type Places } from "../../src/open.ts";
import { readAll as readLog } from "../../src/suite/access-log.ts";
import {
  adding,
  CALL_IDS,
  erasure,
  FILES,
  readAll,
  type Row,
  row,
  toContent,
  toItems,
} from "../../src/suite/random-archive.ts";
import { type Fault, type FaultKind, SPOILABLE } from "./faults.ts";
import { SEEN, type Task, WORK, type Work } from "./spoiled-work.ts";

/** Where recordings lie: in the folder of the archive, or in a bucket. */
export type Place = "folder" | "bucket";

/** Random rows, and an archive made of them, which each case gets a copy of. */
export interface World {
  readonly seed: number;
  readonly work: Work;
  readonly place: Place;
  readonly folder: string;
  readonly objects: Objects;
  readonly rows: Rows;
}

const toRows = (maxLength: number) => fc.array(row, { minLength: 1, maxLength });
const rowsOf = fc.record({
  older: toRows(6),
  newer: toRows(4),
  batches: fc.tuple(toRows(4), toRows(4), toRows(4), toRows(4)),
  filter: erasure,
});
type Rows = typeof rowsOf extends fc.Arbitrary<infer T> ? T : never;

const inFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), "fault-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** One import. */
type Batches = readonly (readonly Row[])[];

async function fill(store: CallStore, batches: Batches): Promise<void> {
  await using session = await store.openImport();
  for (const rows of batches) await session.write(await toItems(rows, adding(store)));
}

/** Whether a backup replaces an earlier one. */
const isKept = (seed: number) => seed % 2 === 0;

/** Made in `folder`. */
export async function createWorld(
  folder: string,
  { seed, work, place }: Pick<World, "seed" | "work" | "place">,
): Promise<World> {
  const [rows] = fc.sample(rowsOf, { seed, numRuns: 1 });
  if (rows === undefined) throw new Error("one was asked for");
  await mkdir(join(folder, "sources"));
  for (const name of FILES) await writeFile(join(folder, "sources", name), toContent(name));
  await using server = await openS3();
  const { places, backup } = toTask({ folder, work, place, rows }, server.address);
  const backUp = async () => await (await openMaintenance(places)).snapshot?.(backup);
  for (const some of [rows.older, rows.newer]) {
    {
      await using store = await createStore(places);
      await fill(store, [some]);
    }
    if (work === "import") break;
    if (some === rows.older ? work === "backup" && isKept(seed) : work === "restore")
      await backUp();
  }
  return { seed, work, place, folder, objects: server.objects, rows };
}

function toTask(
  { folder, work, place, rows }: Pick<World, "folder" | "work" | "place" | "rows">,
  bucket: string,
): Task {
  const toPlaces = (name: string): Places => {
    const records = join(folder, name);
    return place === "bucket" ? { records, media: bucket, env: KEYS } : { records };
  };
  const { batches, filter } = rows;
  // A bucket has the recordings of one archive: from there they are migrated to a folder.
  const target = { records: join(folder, "target") };
  const [backup, sources] = [join(folder, "backup"), join(folder, "sources")];
  return { work, places: toPlaces("archive"), target, backup, sources, batches, filter };
}

/** What the program said, line by line. */
type Lines = readonly (readonly [what: string, ...said: readonly unknown[]])[];

const HOOK = new URL("./faulty-io.ts", import.meta.url).href;
const PROGRAM = new URL("./spoiled-work.ts", import.meta.url).pathname;
const LIMITED = ["sh", "-c", 'ulimit -f "$0" && exec "$@"'];
const HANGS_MS = 120_000;

async function run(task: Task, fault: Fault | null, started: (kill: () => void) => void) {
  const program = [process.execPath, PROGRAM, JSON.stringify(task)];
  const isCut = fault?.kind.startsWith("cut") === true;
  const [command = "", ...args] = isCut ? [...LIMITED, String(fault.nth), ...program] : program;
  const child = spawn(command, args, {
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${HOOK}`,
      CALL_MEDIA_FAULT: JSON.stringify(fault),
      CALL_MEDIA_FAULT_IN: dirname(task.backup),
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: HANGS_MS,
  });
  started(() => child.kill("SIGKILL"));
  const ended = new Promise((resolve) => void child.on("close", (_, signal) => resolve(signal)));
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const lines = said
    .trimEnd()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { lines: lines as Lines, signal: await ended, errors };
}

/** The calls of the work, those to the bucket too, in their order. */
export async function listCalls(world: World): Promise<readonly string[]> {
  return await inCopy(world, async ({ task, server }) => {
    const { lines, errors } = await run(task, null, () => {});
    const ended = lines.filter(([what]) => what === "ended" || what === "refused");
    if (ended.length > 0 || errors !== "") throw new Error(`${JSON.stringify(ended)} ${errors}`);
    return [
      ...lines.flatMap(([what, name]) => (what === "call" ? [String(name)] : [])),
      ...server.log,
    ];
  });
}

// Whatever SQLite writes ends a page of 8,192 bytes somewhere: cuts are tried within each, in blocks of 512 bytes.
const [CUT_FROM, CUT_UNTIL, CUT_STEP] = [24, 1_000, 13];

/** Each call with each fault that it can have, and cuts at many sizes of the files. */
export function listFaults(calls: readonly string[]): readonly Fault[] {
  const made = new Map<string, number>();
  const cuts = (["cut", "cut and kill"] as const).flatMap((kind) =>
    Array.from({ length: (CUT_UNTIL - CUT_FROM) / CUT_STEP }, (_, step) => ({
      kind,
      call: "write",
      nth: CUT_FROM + step * CUT_STEP,
    })),
  );
  const ofCalls = calls.flatMap((call) => {
    const nth = (made.get(call) ?? 0) + 1;
    made.set(call, nth);
    return KINDS.filter((kind) => canBe(kind, call)).map((kind) => ({ kind, call, nth }));
  });
  return [...cuts, ...ofCalls];
}

const KINDS: readonly FaultKind[] = ["fail", "full", "tear", "flip", "kill"];

const isRequest = (call: string) => call.startsWith("s3:");
const canBe = (kind: FaultKind, call: string) =>
  isRequest(call) || (SPOILABLE[kind]?.test(call) ?? true);

interface Copy {
  readonly task: Task;
  readonly server: Awaited<ReturnType<typeof openS3>>;
}

async function inCopy<T>(world: World, use: (copy: Copy) => Promise<T>): Promise<T> {
  return await inFolder(async (folder) => {
    await cp(world.folder, folder, { recursive: true });
    await using server = await openS3({ objects: new Map(world.objects) });
    return await use({ task: toTask({ ...world, folder }, server.address), server });
  });
}

export interface Outcome {
  /** What does not hold, in sentences. */
  readonly problems: readonly string[];
  /** False if no such call was made. */
  readonly isMet: boolean;
}

/** Does the work with the fault. */
export async function tryFault(world: World, fault: Fault): Promise<Outcome> {
  return await inCopy(world, async ({ task, server }) => {
    let made = 0;
    let kill = () => {};
    server.faults.spoil = (action) => {
      const isHit = action === fault.call && (made += 1) >= fault.nth;
      if (!isHit || (made > fault.nth && fault.kind !== "full")) return undefined;
      if (fault.kind === "kill") kill();
      return fault.kind === "tear" || fault.kind === "flip" ? fault.kind : "fail";
    };
    const { lines, signal, errors } = await run(task, fault, (by) => (kill = by));
    server.faults.spoil = undefined;
    const isMet = made >= fault.nth || lines.some(([what]) => what === "met");
    if (signal === "SIGTERM") return { isMet, problems: ["it hangs"] };
    if (errors !== "") return { isMet, problems: [`it said to nobody: ${errors}`] };
    const judged = judge({ world, task, lines, isFlipped: fault.kind === "flip" });
    const problems = await judged.catch((error: unknown) => [
      `it cannot be used: ${error instanceof Error ? error.stack : String(error)}`,
    ]);
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

/** All that the archive tells one who may see everything, and one who may not, and what its recordings sound like. */
async function readState(store: CallStore) {
  const sounds = CALL_IDS.map(async (callId) => {
    const recordings = await store.calls.recordings({ callId }, "everything");
    return await Promise.all(recordings.map(({ media }) => listen(store, media)));
  });
  const state = {
    everything: await readAll(store),
    seen: await readAll(store, SEEN),
    sounds: await Promise.all(sounds),
  };
  return JSON.parse(JSON.stringify(state)) as typeof state;
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

type Step = Batches | { readonly erased: Task["filter"] };

async function toModel(...steps: readonly Step[]): Promise<State> {
  const model = createMemoryStore();
  for (const step of steps)
    if ("erased" in step) await model.maintenance.erase(step.erased, { operator: "o" });
    else await fill(model, step);
  return await readState(model);
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
  for (const part of ["everything", "seen", "sounds"] as const)
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
    await again(given);
    const expected = await toModel([older], batches.slice(0, Math.max(0, from)), batches);
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
    const { records, recordCount } = state.seen;
    const found = saidOf(given, "found").filter(
      (one) => !isDeepStrictEqual(one, { records, recordCount }),
    );
    if (found.length > 0) problems.push(`it was found: ${JSON.stringify(found)}`);
    for (const [what, callId, sound] of given.lines)
      if (
        what === "heard" &&
        !state.sounds[CALL_IDS.indexOf(String(callId))]?.includes(String(sound))
      )
        problems.push(`of ${String(callId)} was heard: ${String(sound)}`);
    await using store = await openStore(task.places);
    const logged = new Set((await readLog(store)).map(({ requestId }) => requestId));
    const isClosed = given.lines.some(([what]) => what === "closed");
    const answered = [...saidOf(given, "row"), ...(isClosed ? saidOf(given, "soon") : [])];
    const missing = answered.filter((id) => !logged.has(String(id)));
    return [...problems, ...missing.map((id) => `no row: ${String(id)}`)];
  },
};

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
