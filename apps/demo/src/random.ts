// A repeatable source of choices: the same seed text gives the same choices on every machine.

/**
 * Choices drawn in a fixed order. Each record has a source of its own, so that changing one record leaves the others
 * unchanged.
 */
export interface Random {
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Picks an item in proportion to its `weight`. */
  pickWeighted<Item extends { weight: number }>(items: readonly Item[]): Item;
}

/** Makes a source from a seed text, by the mulberry32 generator over an FNV-1a hash of the text. */
export function createRandom(seed: string): Random {
  let state = hash(seed);

  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function pickWeighted<Item extends { weight: number }>(items: readonly Item[]): Item {
    let left = fraction() * items.reduce((sum, item) => sum + item.weight, 0);
    return existing(items.find((item) => (left -= item.weight) < 0) ?? items.at(-1));
  }

  return {
    integer: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
    chance: (probability) => fraction() < probability,
    pick: (items) => existing(items[Math.floor(fraction() * items.length)]),
    pickWeighted,
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}

/** Hands back a looked-up item; throws when there is none, which means that the demo's own data is wrong. */
export function existing<Item>(item: Item | undefined, name = "item"): Item {
  if (item === undefined) throw new Error(`the demo data has no ${name}`);
  return item;
}
