// The results of an export compared with its request: calls, their records, and recordings, each counted separately.
import type { Report } from "./report.ts";

/** The wording in a language. */
export interface FoundTerms {
  readonly calls: (count: number) => string;
  readonly legs: (count: number) => string;
  readonly recordings: (count: number) => string;
  readonly of: (some: number, all: string) => string;
  readonly leftOut: string;
  readonly none: (calls: number) => string;
}

/** "1 file", "1,000 files". */
export const toCounted = (count: number, noun: string, several = `${noun}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : several}`;

const ENGLISH: FoundTerms = {
  calls: (count) => toCounted(count, "call"),
  legs: (count) => toCounted(count, "leg"),
  recordings: (count) => toCounted(count, "recording"),
  of: (some, all) => `${some.toLocaleString("en")} of ${all}`,
  leftOut: "recordings left out",
  none: (calls) =>
    `${toCounted(calls, "call")} ${calls === 1 ? "has" : "have"} none in the archive`,
};

/**
 * "11 of 11 calls, 12 legs, 4 of 4 recordings; 7 calls have none in the archive". If the report lacks the number of calls,
 * only their records are given, which are legs.
 */
export function toFoundText(report: Report, terms = ENGLISH): string {
  const { found, ids, records, files, kinds, windows } = report;
  const { calls, unrecorded = 0 } = found ?? {};
  const { written, announced } = records;
  const isCounted = announced !== null && windows.every(({ verdict }) => verdict !== "drifted");
  const some = calls ?? (ids === undefined ? written : ids.asked - ids.missing.length);
  const all = ids?.asked ?? (isCounted ? some : undefined);
  const toWords = calls === undefined && ids === undefined ? terms.legs : terms.calls;
  const { complete, expected } = files.recordings;
  const hasRecordings = kinds.includes("recordings");
  const text = [
    all === undefined ? toWords(some) : terms.of(some, toWords(all)),
    ...(toWords === terms.legs || some === written ? [] : [terms.legs(written)]),
    hasRecordings ? terms.of(complete, terms.recordings(expected)) : terms.leftOut,
  ].join(", ");
  return hasRecordings && unrecorded > 0 ? `${text}; ${terms.none(unrecorded)}` : text;
}
