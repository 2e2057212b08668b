// What a fuzz run says: which answers it met, and of a fault the smallest request that shows it, as a command to paste.
import type { RunDetails } from "fast-check";
import { expect } from "vitest";
import { quote } from "./probe.ts";

export interface Tally {
  readonly add: (kind: string, status: number | "closed") => void;
  readonly statuses: () => readonly (number | "closed")[];
  readonly print: (seed: number) => void;
}

export function createTally(): Tally {
  const kinds = new Map<string, Map<number | "closed", number>>();
  return {
    add: (kind, status) => {
      const counts = kinds.get(kind) ?? new Map();
      kinds.set(kind, counts.set(status, (counts.get(status) ?? 0) + 1));
    },
    statuses: () => [...new Set([...kinds.values()].flatMap((counts) => [...counts.keys()]))],
    print: (seed) => {
      console.log(`seed ${seed}`);
      for (const [kind, counts] of kinds) {
        const sorted = [...counts].toSorted(([a], [b]) => Number(a) - Number(b));
        console.log(`  ${kind}: ${sorted.map(([status, n]) => `${status} x ${n}`).join(", ")}`);
      }
    },
  };
}

/** Fails with what was found, as `describe` writes it, and what finds it again. */
export function expectNoneFound<T>(found: RunDetails<[T]>, describe: (input: T) => string): void {
  const [input] = found.counterexample ?? [];
  const { errorInstance, numRuns, numShrinks, seed, counterexamplePath } = found;
  const report = [
    errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    `in request ${numRuns}, made simpler ${numShrinks} times; again: SOAK_FUZZ_SEED=${seed}, path ${counterexamplePath}`,
    input === undefined ? "" : describe(input),
  ];
  expect(found.failed, report.join("\n")).toBe(false);
}

/** For bash; NUL, which it cannot write, goes through printf. */
export function describeBytes(baseUrl: string, bytes: Buffer): string {
  const { hostname, port } = new URL(baseUrl);
  const text = bytes.toString("latin1").replaceAll("%", "%%").replaceAll("\\", "\\\\");
  return `printf ${quote(text).slice(1)} | nc -N ${hostname} ${port}`;
}
