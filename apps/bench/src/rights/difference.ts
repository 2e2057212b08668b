// By how much one kind of request takes longer than another, and how much of that chance may be.
import { toMedian } from "../measure.ts";
import { createRandom, type Random } from "../random.ts";

/** What was asked for, and how long the answer took. */
export interface Sample {
  readonly id: string;
  readonly us: number;
}

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
 * The median of `others` less that of `none`; the same place in both is the same turn. Its error is found by drawing out of them
 * again and again (bootstrap): turns, because what else the machine does strikes all of a turn; and identifiers with all of
 * their answers, because each has a time of its own. Both variances add up, less what is in both (Cameron, Gelbach and Miller 2011,
 * Robust inference with multiway clustering).
 */
export function toDifference(none: readonly Sample[], others: readonly Sample[]): Difference {
  const random = createRandom(none.length);
  const ofIds = toIdVariance(none, random) + toIdVariance(others, random);
  const variance = toTurnVariance(none, others, random) + ofIds;
  return {
    us: toMedian(others.map(toUs)) - toMedian(none.map(toUs)),
    withinUs: STANDARD_ERRORS * Math.sqrt(variance),
  };
}

const toUs = ({ us }: Sample) => us;

function toTurnVariance(
  none: readonly Sample[],
  others: readonly Sample[],
  random: Random,
): number {
  const toMedianAt = (samples: readonly Sample[], turns: readonly number[]) =>
    toMedianOf(turns.map((turn) => samples[turn]?.us ?? Number.NaN));
  return toVariance(() => {
    const turns = none.map(() => random.below(none.length));
    return toMedianAt(others, turns) - toMedianAt(none, turns);
  });
}

/** By how much the variance of the median is larger because of identifiers than single answers make it. */
function toIdVariance(samples: readonly Sample[], random: Random): number {
  const toDrawn = (groups: readonly (readonly number[])[]) =>
    toVariance(() => toMedianOf(groups.flatMap(() => groups[random.below(groups.length)] ?? [])));
  const ofIds = [...Map.groupBy(samples, ({ id }) => id).values()].map((own) => own.map(toUs));
  const ofAnswers = samples.map(({ us }) => [us]);
  return Math.max(0, toDrawn(ofIds) - toDrawn(ofAnswers));
}

function toMedianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Of what is drawn again and again. */
function toVariance(draw: () => number): number {
  const values = Array.from({ length: RESAMPLES }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
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
