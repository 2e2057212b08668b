// What of two documents is compared with each other: the same operation, parameter, media type or member of a list.

/** What stands in the same place of both documents; undefined on the side of a document that has no such thing. */
export interface Pair<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Whether two things are the same one, in an earlier and in a later document. */
type Fit<T> = (before: T, after: T) => boolean;

/** Each thing is in one pair. The fits are tried one after the other: the first ones are the surest. */
export function pairUp<T>(
  olds: readonly T[],
  nows: readonly T[],
  ...fits: readonly Fit<T>[]
): Pair<T>[] {
  const free = new Set(nows);
  const partners = new Map<T, T>();
  for (const fit of fits) {
    for (const old of olds.filter((one) => !partners.has(one))) {
      const partner = findIn(free, (now) => fit(old, now));
      if (partner === undefined) continue;
      partners.set(old, partner);
      free.delete(partner);
    }
  }
  return [
    ...olds.map((before) => ({ before, after: partners.get(before) })),
    ...[...free].map((after) => ({ before: undefined, after })),
  ];
}

function findIn<T>(items: Iterable<T>, isIt: (item: T) => boolean): T | undefined {
  for (const item of items) if (isIt(item)) return item;
  return undefined;
}

/** Pairs those that have the same key; where one document has a key more than once, its last one counts. */
export function pairByKey<T>(
  olds: readonly T[],
  nows: readonly T[],
  keyOf: (item: T) => string,
): Pair<T>[] {
  const [old, now] = [olds, nows].map((items) => new Map(items.map((item) => [keyOf(item), item])));
  const keys = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  return [...keys].map((key) => ({ before: old?.get(key), after: now?.get(key) }));
}

/** The side that is there. Throws a TypeError when neither is. */
export function eitherOf<T>({ before, after }: Pair<T>): T {
  const either = before ?? after;
  if (either === undefined) throw new TypeError("a pair without sides");
  return either;
}

/** Both sides, where both are there. */
export function bothOf<T>({ before, after }: Pair<T>): readonly [T, T] | undefined {
  return before === undefined || after === undefined ? undefined : [before, after];
}

/** What follows from each side that is there. */
export function mapPair<T, R>(
  { before, after }: Pair<T>,
  map: (side: T) => R | undefined,
): Pair<R> {
  return {
    before: before === undefined ? undefined : map(before),
    after: after === undefined ? undefined : map(after),
  };
}
