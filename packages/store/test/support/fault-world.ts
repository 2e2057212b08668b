// Archives of random rows, work on copies of them in a program of its own, and the faults that one call of it can have.
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { KEYS, type Objects, openS3 } from "@call-media/test-setup/s3-server";
import * as fc from "fast-check";
import type { CallStore } from "../../src/index.ts";
import { createStore, openMaintenance, type Places } from "../../src/open.ts";
import { toEntry } from "../../src/suite/access-log.ts";
import {
  adding,
  erasure,
  FILES,
  type Row,
  row,
  toContent,
  toItems,
} from "../../src/suite/random-archive.ts";
import { type Fault, type FaultKind, SPOILABLE } from "./faults.ts";
import type { Task, Work } from "./spoiled-work.ts";

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
export type Batches = readonly (readonly Row[])[];

export async function fill(store: CallStore, batches: Batches): Promise<void> {
  await using session = await store.openImport();
  for (const rows of batches) await session.write(await toItems(rows, adding(store)));
}

/** What was read before. */
export const LOGGED = ["earlier", "later"];

/** Whether a backup replaces an earlier one. */
export const isKept = (seed: number) => seed % 2 === 0;

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
      for (const requestId of LOGGED) await store.accessLog.append(toEntry({ requestId }), true);
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
export type Lines = readonly (readonly [what: string, ...said: readonly unknown[]])[];

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

// A prime, so that bits of all places and of each value of a byte are among them; empty places are of no use.
const ROT_STEP = 337;

/** Bits of the files that the work reads, where something is written. */
export async function listRots(world: World): Promise<readonly Fault[]> {
  const { work, folder } = world;
  if (work === "import" || work === "purge") return [];
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => name.startsWith(work === "restore" ? "backup" : "archive"));
  const faults = files.map(async (call) => {
    const bytes = await readFile(join(folder, call));
    const written = [...bytes.keys()].filter((at) => bytes[at] !== 0);
    const step = Math.min(ROT_STEP, Math.ceil(written.length / 4));
    return written
      .filter((_, index) => index % step === 0)
      .map((at) => ({ kind: "rot" as const, call, nth: at * 8 + (at % 8) }));
  });
  return (await Promise.all(faults)).flat();
}

async function rot(folder: string, { call, nth }: Fault): Promise<void> {
  const file = join(folder, call);
  const bytes = await readFile(file);
  const at = Math.floor(nth / 8);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (nth % 8));
  await writeFile(file, bytes);
}

/** Each call with each fault that it can have, and cuts at many sizes of the files. */
export function listFaults({ work }: World, calls: readonly string[]): readonly Fault[] {
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
    // What is sent is not read twice, so nothing shows that a bit was another for once: those that stay so are `rot`.
    const kinds = KINDS.filter((kind) => kind !== "flip" || work !== "serve");
    return kinds.filter((kind) => canBe(kind, call)).map((kind) => ({ kind, call, nth }));
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

/** The work of the program, and what it said. */
export interface Done {
  readonly task: Task;
  readonly lines: Lines;
  readonly signal: unknown;
  readonly errors: string;
  /** False if no such call was made. */
  readonly isMet: boolean;
}

/** Does the work with the fault, and gives to `use` what became of it. */
export async function spoilWork<T>(
  world: World,
  fault: Fault,
  use: (done: Done) => Promise<T>,
): Promise<T> {
  return await inCopy(world, async ({ task, server }) => {
    let made = 0;
    let kill = () => {};
    server.faults.spoil = (action) => {
      const isHit = action === fault.call && (made += 1) >= fault.nth;
      if (!isHit || (made > fault.nth && fault.kind !== "full")) return undefined;
      if (fault.kind === "kill") kill();
      return fault.kind === "tear" || fault.kind === "flip" ? fault.kind : "fail";
    };
    if (fault.kind === "rot") await rot(dirname(task.backup), fault);
    const done = await run(task, fault, (by) => (kill = by));
    server.faults.spoil = undefined;
    const isSaid = done.lines.some(([what]) => what === "met");
    return await use({ task, ...done, isMet: isSaid || made >= fault.nth || fault.kind === "rot" });
  });
}
