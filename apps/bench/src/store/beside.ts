// Times of several things that are done in turns, each turn in another order: what else the machine does strikes all of them
// alike.
import { readFileSync } from "node:fs";
import { toMedian } from "../measure.ts";
import { createRandom, type Random } from "../random.ts";

/** Enough for a median that hardly moves. */
export const REPEATS = 60;
const MAX_MS = 6_000;
const WARM_UP = 8;

type Ask = (index: number) => Promise<unknown>;

export interface Time {
  /** By the clock: on a busy machine most of it is waiting for a core. */
  readonly ms: number;
  /** The time of this process, all its threads, and the other processes that answer. */
  readonly cpuMs: number;
  /** The time of the other processes alone. */
  readonly othersMs: number;
}

export interface Rules {
  /** The first eight do not count; slow ones are fewer. */
  readonly repeats: number;
  /** The ids of other processes, whose CPU time counts as well. */
  readonly pids?: () => readonly number[];
}

/** The median time of each, told how often it was asked before. */
export async function measureBeside<Name extends string>(
  asks: Readonly<Record<Name, Ask | undefined>>,
  { repeats, pids = () => [] }: Rules,
): Promise<Readonly<Record<Name, Time | undefined>>> {
  const times = new Map<string, Time[]>();
  const random = createRandom(ORDERS);
  const startMs = performance.now();
  for (let index = 0; index < repeats; index += 1) {
    if (performance.now() - startMs > MAX_MS && index > WARM_UP + 1) break;
    for (const [name, ask] of shuffle(Object.entries<Ask | undefined>(asks), random)) {
      if (ask === undefined) continue;
      const time = await measure(() => ask(index), pids());
      if (index >= WARM_UP) times.set(name, [...(times.get(name) ?? []), time]);
    }
  }
  const medians = [...times].map(([name, measured]): [string, Time] => [
    name,
    {
      ms: toMedian(measured.map(({ ms }) => ms)),
      cpuMs: toMedian(measured.map(({ cpuMs }) => cpuMs)),
      othersMs: toMedian(measured.map(({ othersMs }) => othersMs)),
    },
  ]);
  return Object.fromEntries(medians) as Record<Name, Time | undefined>; // those that were asked
}

// Whoever comes after another process finds the processor's caches full of what that has read: with one order for all turns,
// two archives of the same calls differed by three quarters. So everybody has to come after everybody.
const ORDERS = 4;

function shuffle<T>(things: readonly T[], random: Random): readonly T[] {
  return things
    .map((thing) => ({ thing, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ thing }) => thing);
}

async function measure(ask: () => Promise<unknown>, pids: readonly number[]): Promise<Time> {
  const cpu = process.cpuUsage();
  const beforeMs = readCpuMs(pids);
  const startMs = performance.now();
  await ask();
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  const othersMs = readCpuMs(pids) - beforeMs;
  return { ms, cpuMs: (user + system) / 1_000 + othersMs, othersMs };
}

// Linux tells it in nanoseconds, as the first of three numbers: Documentation/scheduler/sched-stats.rst.
function readCpuMs(pids: readonly number[]): number {
  const times = pids.map((pid) => readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);
  return times.reduce((total, ns) => total + Number(ns), 0) / 1e6;
}
