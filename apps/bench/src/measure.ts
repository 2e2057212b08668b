// Times and their middle. CPU time where it can be told apart: it hardly moves with what else the machine does.

export function toMedian(values: readonly number[]): number {
  return toPercentile(values, 50);
}

/** The value that `percent` of the values do not exceed. */
export function toPercentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

export interface Spent {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

/** What `work` takes of this process, all its threads included. */
export async function measureSpent(work: () => void | Promise<void>): Promise<Spent> {
  const startMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - startMs) / 1_000 };
}

const MAX_REPEATS = 200;
const MAX_REPEATING_MS = 2_000;
const WARM_UP_REPEATS = 10;

export interface Times {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** How long `ask` takes, told how often it was asked before; fewer times when it is slow. */
export async function measureTimes(ask: (index: number) => unknown): Promise<Times> {
  const times: number[] = [];
  const startMs = performance.now();
  for (let index = 0; index < MAX_REPEATS; index++) {
    const beforeMs = performance.now();
    if (beforeMs - startMs > MAX_REPEATING_MS && times.length > WARM_UP_REPEATS) break;
    await ask(index);
    if (index >= WARM_UP_REPEATS) times.push(performance.now() - beforeMs);
  }
  return { p50Ms: toPercentile(times, 50), p95Ms: toPercentile(times, 95) };
}
