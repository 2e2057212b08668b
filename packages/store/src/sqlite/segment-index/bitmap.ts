// Sets of ordinals in a segment, with one bit for each.

/** A bit for each ordinal, lowest first. */
export type Bitmap = Uint32Array<ArrayBuffer>;

const WORD = 32;

/** The ordinals from `from` up to, but not including, `until`. */
export interface OrdinalRange {
  readonly from: number;
  readonly until: number;
}

export function createBitmap(size: number): Bitmap {
  return new Uint32Array(Math.ceil(size / WORD));
}

export function addOrdinal(bitmap: Bitmap, ordinal: number): void {
  bitmap[ordinal >>> 5] = (bitmap[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
}

export function addOrdinals(bitmap: Bitmap, ordinals: ArrayLike<number>): void {
  for (let index = 0; index < ordinals.length; index += 1) addOrdinal(bitmap, ordinals[index] ?? 0);
}

export function hasOrdinal(bitmap: Bitmap, ordinal: number): boolean {
  return (((bitmap[ordinal >>> 5] ?? 0) >>> (ordinal & 31)) & 1) === 1;
}

/** Keeps the ordinals of `bitmap` that `other` has too. */
export function andWith(bitmap: Bitmap, other: Bitmap): void {
  for (let word = 0; word < bitmap.length; word += 1)
    bitmap[word] = (bitmap[word] ?? 0) & (other[word] ?? 0);
}

/** Adds the ordinals of `other` to `bitmap`. */
function orWith(bitmap: Bitmap, other: Bitmap): void {
  for (let word = 0; word < bitmap.length; word += 1)
    bitmap[word] = (bitmap[word] ?? 0) | (other[word] ?? 0);
}

/** Adds the ordinals of a set in either form. */
export function addSet(bitmap: Bitmap, ordinals: Uint16Array | Bitmap): void {
  if (ordinals instanceof Uint32Array) orWith(bitmap, ordinals);
  else addOrdinals(bitmap, ordinals);
}

/** Removes the ordinals of `other` from `bitmap`. */
export function andNotWith(bitmap: Bitmap, other: Bitmap): void {
  for (let word = 0; word < bitmap.length; word += 1)
    bitmap[word] = (bitmap[word] ?? 0) & ~(other[word] ?? 0);
}

/** The number of ordinals from `from` up to, but not including, `until`. */
export function countBits(bitmap: Bitmap, from: number, until: number): number {
  if (until <= from) return 0;
  const [first, last] = [from >>> 5, (until - 1) >>> 5];
  // Counts complete words, then subtracts the bits outside of the range: masking each word would take twice as long.
  let count = 0;
  for (let word = first; word <= last; word += 1) count += countOnes(bitmap[word] ?? 0);
  const [lowest, highest] = [bitmap[first] ?? 0, bitmap[last] ?? 0];
  return count - countOutside([lowest, highest], from - first * WORD, until - last * WORD);
}

/** The number of ordinals that both have from `from` up to, but not including, `until`. A third faster than making their intersection. */
export function countBoth(a: Bitmap, b: Bitmap, { from, until }: OrdinalRange): number {
  if (until <= from) return 0;
  const [first, last] = [from >>> 5, (until - 1) >>> 5];
  let count = 0;
  for (let word = first; word <= last; word += 1)
    count += countOnes((a[word] ?? 0) & (b[word] ?? 0));
  const [lowest = 0, highest = 0] = [first, last].map((word) => (a[word] ?? 0) & (b[word] ?? 0));
  return count - countOutside([lowest, highest], from - first * WORD, until - last * WORD);
}

/** The ordinals from `from` up to, but not including, `until`, highest first, without the first `skipped`. */
export function* bitsDown(
  bitmap: Bitmap,
  { from, until }: OrdinalRange,
  skipped: number,
): Generator<number, void> {
  let left = skipped;
  if (until <= from) return;
  for (let word = (until - 1) >>> 5; word >= from >>> 5; word -= 1) {
    const whole = bitmap[word] ?? 0;
    if (whole === 0) continue;
    let ones = cut(whole, from - word * WORD, until - word * WORD);
    const count = left === 0 ? 0 : countOnes(ones);
    if (left > 0 && count <= left) {
      left -= count;
      continue;
    }
    while (ones !== 0) {
      const ordinal = WORD - 1 - Math.clz32(ones);
      ones &= ~(1 << ordinal);
      if (left > 0) left -= 1;
      else yield word * WORD + ordinal;
    }
  }
}

export function* ordinalsUp(bitmap: Bitmap): Generator<number, void> {
  for (let word = 0; word < bitmap.length; word += 1) {
    let ones = bitmap[word] ?? 0;
    while (ones !== 0) {
      const lowest = ones & -ones;
      ones ^= lowest;
      yield word * WORD + WORD - 1 - Math.clz32(lowest);
    }
  }
}

// Counts the bits of the lowest word below `from`, and of the highest word from `until` on.
function countOutside(
  [lowest, highest]: readonly [number, number],
  from: number,
  until: number,
): number {
  return countOnes(lowest ^ cut(lowest, from, WORD)) + countOnes(highest ^ cut(highest, 0, until));
}

// The bits of a word from `from` up to, but not including, `until`; both may be outside the word.
function cut(word: number, from: number, until: number): number {
  const low = from <= 0 ? -1 : -1 << from;
  const high = until >= WORD ? -1 : ~(-1 << until);
  return word & low & high;
}

// Sums up neighbouring bits, then pairs, then groups of four; the product adds up the four bytes in the highest one.
function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
