// Random numbers that depend only on the seed, and ways to draw rows from them.

export interface Random {
  /** From 0 up to but excluding 1. */
  next(): number;
  /** An integer from 0 up to but excluding `limit`. */
  below(limit: number): number;
  /** Like `below`, but low numbers are much more frequent: for a limit of ten, 0 is a quarter of all, and 9 one in seventeen. */
  skewed(limit: number): number;
  isOneIn(times: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  digits(count: number): string;
  hex(count: number): string;
}

export function createRandom(seed: number): Random {
  const next = createMulberry32(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    skewed: (limit) => Math.floor(limit * next() ** 1.7),
    isOneIn: (times) => next() * times < 1,
    pick: (from) => from[below(from.length)] ?? from[0],
    digits: (count) => String(below(9 * 10 ** (count - 1)) + 10 ** (count - 1)),
    hex: (count) =>
      below(16 ** count)
        .toString(16)
        .padStart(count, "0"),
  };
}

// Tommy Ettinger's public-domain generator. 32 bits of state suffice for rows that only have to look different.
function createMulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
