// Times and their middle. CPU time where it can be told apart: it hardly moves with what else the machine does.

export function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
}

export interface Spent {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

/** The CPU time and memory of `work` in this process, with all its threads. */
export async function measureSpent(work: () => void | Promise<void>): Promise<Spent> {
  const startMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - startMs) / 1_000 };
}
