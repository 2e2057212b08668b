// The benchmark: runs the kit on each mutant and each conforming variant, two in parallel.
import type { Demo } from "./demo.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { createProgress } from "./progress.ts";
import { isRight, toFaults, toTables } from "./report.ts";
import { type Outcome, runOne } from "./run.ts";
import type { Variant } from "./variants/variant.ts";

export interface Chosen {
  readonly mutants: readonly Mutant[];
  readonly variants: readonly Variant[];
}

export interface Result {
  readonly tables: string;
  /** A paragraph for each mutant that the kit missed and each variant that it took for drift. */
  readonly faults: readonly string[];
}

/** While one check waits for its own requests, the other continues. */
const AT_A_TIME = 2;

export async function runBenchmark(demo: Demo, { mutants, variants }: Chosen): Promise<Result> {
  const subjects = [...mutants, ...variants];
  using progress = createProgress(process.stderr, subjects.length);
  const outcomes: Outcome[] = [];
  const queue = subjects.entries();
  const work = async () => {
    for (const [index, subject] of queue) {
      const outcome = await runOne(demo, subject);
      outcomes[index] = outcome;
      progress.step(`${isRight(outcome) ? "ok  " : "FAIL"} ${subject.id}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return { tables: toTables(outcomes), faults: toFaults(outcomes) };
}
