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
  /** Of this process, all its threads, and of the other one that answers. */
  readonly cpuMs: number;
}

export interface Rules {
  /** The first eight do not count; slow ones are fewer. */
  readonly repeats: number;
  /** The id of another process, whose CPU time counts as well. */
  readonly pid?: number | undefined;
}

/** The median time of each, told how often it was asked before. */
export async function measureBeside<Name extends string>(
  asks: Readonly<Record<Name, Ask | undefined>>,
  { repeats, pid }: Rules,
): Promise<Readonly<Record<Name, Time | undefined>>> {
  const times = new Map<string, Time[]>();
  const random = createRandom(ORDERS);
  const startMs = performance.now();
  for (let index = 0; index < repeats; index += 1) {
    if (performance.now() - startMs > MAX_MS && index > WARM_UP + 1) break;
    for (const [name, ask] of shuffle(Object.entries<Ask | undefined>(asks), random)) {
      if (ask === undefined) continue;
      const time = await measure(() => ask(index), pid);
      if (index >= WARM_UP) times.set(name, [...(times.get(name) ?? []), time]);
    }
  }
  const medians = [...times].map(([name, measured]): [string, Time] => [
    name,
    {
      ms: toMedian(measured.map(({ ms }) => ms)),
      cpuMs: toMedian(measured.map(({ cpuMs }) => cpuMs)),
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

async function measure(ask: () => Promise<unknown>, pid: number | undefined): Promise<Time> {
  const cpu = process.cpuUsage();
  const otherMs = readCpuMs(pid);
  const startMs = performance.now();
  await ask();
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1_000 + readCpuMs(pid) - otherMs };
}

// Linux tells it in nanoseconds, as the first of three numbers: Documentation/scheduler/sched-stats.rst.
function readCpuMs(pid: number | undefined): number {
  if (pid === undefined) return 0;
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}
