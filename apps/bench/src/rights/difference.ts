// By how much one kind of request takes longer than another, and how much of that chance may be.
import { toMedian } from "../measure.ts";
import { createRandom } from "../random.ts";

/** Of two medians, in microseconds. */
export interface Difference {
  readonly us: number;
  /** What is not there is found to be up to so much, either way: see `STANDARD_ERRORS`. */
  readonly withinUs: number;
}

// Of some forty comparisons, one in twenty runs has one beyond this by chance alone: each has 0.14% of a normal distribution.
const STANDARD_ERRORS = 3.2;

const RESAMPLES = 300;

/**
 * The median of `others` less that of `times`; the same place in both is the same turn. Its error is found by drawing as many
 * turns out of them, again and again (bootstrap): turns, because what else the machine does strikes all of a turn.
 */
export function toDifference(times: readonly number[], others: readonly number[]): Difference {
  const random = createRandom(times.length);
  const drawn = Array.from({ length: RESAMPLES }, () => {
    const turns = times.map(() => random.below(times.length));
    return toMedianAt(others, turns) - toMedianAt(times, turns);
  });
  return {
    us: toMedian(others) - toMedian(times),
    withinUs: STANDARD_ERRORS * toDeviation(drawn),
  };
}

function toMedianAt(times: readonly number[], turns: readonly number[]): number {
  const sorted = Float64Array.from(turns, (turn) => times[turn] ?? Number.NaN).toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function toDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** The one that chance explains least. */
export function toFurthest(differences: readonly Difference[]): Difference {
  const toShare = ({ us, withinUs }: Difference) => Math.abs(us) / withinUs;
  return differences.reduce((furthest, one) => (toShare(one) > toShare(furthest) ? one : furthest));
}

/** Such as "+0.4 (-1.1 to +1.9)". */
export function toText({ us, withinUs }: Difference): string {
  return `${toSigned(us)} (${toSigned(us - withinUs)} to ${toSigned(us + withinUs)})`;
}

function toSigned(us: number): string {
  return `${us < 0 ? "-" : "+"}${Math.abs(us).toFixed(1)}`;
}
