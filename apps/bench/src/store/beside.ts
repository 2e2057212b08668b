// Measures several things interleaved, in a different order each time, so that other load on the machine affects all alike.
import { readFileSync } from "node:fs";
import { toMedian } from "../measure.ts";
import { createRandom, type Random } from "../random.ts";

/** Enough for a stable median. */
export const REPEATS = 60;
const MAX_MS = 6_000;
const WARM_UP = 8;

type Ask = (index: number) => Promise<unknown>;

export interface Time {
  /** Wall-clock time. On a busy machine, most of it is waiting for a core. */
  readonly ms: number;
  /** CPU time of this process with all threads, and of the processes in `pids`. */
  readonly cpuMs: number;
  /** CPU time of only the processes in `pids`. */
  readonly othersMs: number;
}

export interface Rules {
  /** The first eight runs are not counted. Slow functions are repeated less often. */
  readonly repeats: number;
  /** Ids of other processes whose CPU time counts. */
  readonly pids?: () => readonly number[];
}

/** Returns the median times. Each function gets the number of its earlier runs. */
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
  return Object.fromEntries(medians) as Record<Name, Time | undefined>; // of the functions that ran
}

// Each run finds the processor caches filled by the run before. In a fixed order, two equal archives differed by three quarters,
// so every function has to follow every other.
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

// Linux reports it in nanoseconds, as the first of three numbers: Documentation/scheduler/sched-stats.rst.
function readCpuMs(pids: readonly number[]): number {
  const times = pids.map((pid) => readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);
  return times.reduce((total, ns) => total + Number(ns), 0) / 1e6;
}
