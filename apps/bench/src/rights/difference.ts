// By how much one kind of request takes longer than another, and how much of that chance may be.
import { toMedian } from "../measure.ts";
import { createRandom, type Random } from "../random.ts";

/** Of two medians, in microseconds. */
export interface Difference {
  readonly us: number;
  /** What is not there is found to be up to so much, either way: see `STANDARD_ERRORS`. */
  readonly withinUs: number;
}

// Of some forty comparisons, one in twenty runs has one beyond this by chance alone: each has 0.14% of a normal distribution.
const STANDARD_ERRORS = 3.2;

const RESAMPLES = 300;

/** An answer. */
export interface Timed {
  /** What was asked for: an identifier, a city. */
  readonly name: string;
  readonly us: number;
}

/**
 * The median of `others` less that of `times`; the same place in both is the same turn. Its error is found by drawing as much
 * out of them as there is, again and again (bootstrap), in two ways, of which the greater counts: turns, because what else the
 * machine does strikes all of a turn; and names, because each has a time of its own, from where it lies in the index: those that
 * do not exist differ by 1 to 2.5 us from each other (standard deviation), and of some there are but twenty.
 */
export function toDifference(times: readonly Timed[], others: readonly Timed[]): Difference {
  const random = createRandom(times.length);
  const [us, otherUs] = [times.map(toUs), others.map(toUs)];
  const byTurns = repeat(() => {
    const turns = us.map(() => random.below(us.length));
    return toMedianAt(otherUs, turns) - toMedianAt(us, turns);
  });
  const [names, otherNames] = [toNames(times), toNames(others)];
  const byNames = repeat(() => toMedianOf(otherNames, random) - toMedianOf(names, random));
  return {
    us: toMedian(otherUs) - toMedian(us),
    withinUs: STANDARD_ERRORS * Math.max(toDeviation(byTurns), toDeviation(byNames)),
  };
}

export const toUs = ({ us }: Timed) => us;

const repeat = (draw: () => number) => Array.from({ length: RESAMPLES }, draw);

function toMedianAt(times: readonly number[], turns: readonly number[]): number {
  return toMiddle(Float64Array.from(turns, (turn) => times[turn] ?? Number.NaN));
}

/** All times of each name. */
function toNames(times: readonly Timed[]): readonly (readonly number[])[] {
  return [...Map.groupBy(times, ({ name }) => name).values()].map((own) => own.map(toUs));
}

function toMedianOf(names: readonly (readonly number[])[], random: Random): number {
  const drawn = names.flatMap(() => names[random.below(names.length)] ?? []);
  return toMiddle(Float64Array.from(drawn));
}

function toMiddle(values: Float64Array): number {
  return values.toSorted()[Math.floor(values.length / 2)] ?? Number.NaN;
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
