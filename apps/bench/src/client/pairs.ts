// Two things measured right after each other, again and again: what else the machine does strikes both halves of a pair alike.
import { measureSpent, type Spent, toPercentile } from "../measure.ts";

type Work = () => Promise<void>;

/** One after the other, the order of the two changing from pair to pair. */
interface Pair {
  readonly base: Spent;
  readonly other: Spent;
}

/** How much more `other` takes than `base`, over all pairs. */
export interface Comparison {
  /** Of `other`; the median. */
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** `other` divided by `base` in each pair: what a quarter, a half and three quarters of the pairs do not exceed. */
  readonly wallRatios: Quartiles;
  readonly cpuRatios: Quartiles;
}

export type Quartiles = readonly [low: number, median: number, high: number];

// By then the compiler has seen which code is hot.
const WARM_UP_PAIRS = 20;

/** Measures `count` pairs, after some for nothing. */
export async function comparePairs(base: Work, other: Work, count: number): Promise<Comparison> {
  const pairs: Pair[] = [];
  for (let index = 0; index < WARM_UP_PAIRS + count; index++) {
    const pair = index % 2 === 0 ? await takePair(base, other) : swap(await takePair(other, base));
    if (index >= WARM_UP_PAIRS) pairs.push(pair);
  }
  const quartilesOf = (read: (pair: Pair) => number): Quartiles => {
    const values = pairs.map(read);
    return [toPercentile(values, 25), toPercentile(values, 50), toPercentile(values, 75)];
  };
  return {
    wallSeconds: quartilesOf(({ other: { wallSeconds } }) => wallSeconds)[1],
    cpuSeconds: quartilesOf(({ other: { cpuSeconds } }) => cpuSeconds)[1],
    wallRatios: quartilesOf((pair) => pair.other.wallSeconds / pair.base.wallSeconds),
    cpuRatios: quartilesOf((pair) => pair.other.cpuSeconds / pair.base.cpuSeconds),
  };
}

async function takePair(first: Work, second: Work): Promise<Pair> {
  return { base: await measureSpent(first), other: await measureSpent(second) };
}

const swap = ({ base, other }: Pair): Pair => ({ base: other, other: base });
