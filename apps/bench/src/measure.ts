// Times and their median. CPU time is used where it can be separated: other load on the machine hardly changes it.

export function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
}

export interface Spent {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

/** Measures CPU time and memory of `work` in this process, including all threads. */
export async function measureSpent(work: () => void | Promise<void>): Promise<Spent> {
  const startMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - startMs) / 1_000 };
}
