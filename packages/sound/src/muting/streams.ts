// Walks through bytes that arrive as an async iterable, and yields the values that the walk emits.
import { createFeed, type Walk } from "../feed.ts";

export type Bytes = AsyncIterable<Uint8Array>;

export async function* through<Unit>(
  bytes: Bytes,
  toWalk: (emit: (unit: Unit) => void) => Walk<unknown>,
): AsyncGenerator<Unit> {
  let units: Unit[] = [];
  const feed = createFeed(toWalk((unit) => units.push(unit)));
  for await (const piece of bytes) {
    feed.push(piece);
    const emitted = units;
    units = [];
    yield* emitted;
  }
  feed.end();
  yield* units;
}

/** Pieces of equal length from both; if one is longer, the last pair has an empty piece. */
export async function* inStep(
  one: Bytes,
  other: Bytes,
): AsyncGenerator<readonly [Uint8Array, Uint8Array]> {
  const [first, second] = [one[Symbol.asyncIterator](), other[Symbol.asyncIterator]()];
  const next = async (held: Uint8Array, from: AsyncIterator<Uint8Array>) => {
    let bytes = held;
    while (bytes.length === 0) {
      const { done, value } = await from.next();
      if (done === true) return bytes;
      bytes = value;
    }
    return bytes;
  };
  let [a, b]: readonly [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  for (;;) {
    [a, b] = [await next(a, first), await next(b, second)];
    if (a.length === 0 && b.length === 0) return;
    const length = Math.min(a.length, b.length);
    yield length === 0 ? [a, b] : [a.subarray(0, length), b.subarray(0, length)];
    if (length === 0) return;
    [a, b] = [a.subarray(length), b.subarray(length)];
  }
}

export async function countBytes(bytes: Bytes): Promise<number> {
  let count = 0;
  for await (const { length } of bytes) count += length;
  return count;
}
