// Pairs up what two documents have in common: the same operation, parameter, media type or member of a list.

/** The counterparts in both documents; undefined for a document without one. */
export interface Pair<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** True if two things correspond, one of an earlier and one of a later document. */
type Fit<T> = (before: T, after: T) => boolean;

/** Each thing is in exactly one pair. The fits are tried in order: the first ones are the most reliable. */
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

/** Pairs items with the same key. If a document has a key more than once, its last item counts. */
export function pairByKey<T>(
  olds: readonly T[],
  nows: readonly T[],
  keyOf: (item: T) => string,
): Pair<T>[] {
  const [old, now] = [olds, nows].map((items) => new Map(items.map((item) => [keyOf(item), item])));
  const keys = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  return [...keys].map((key) => ({ before: old?.get(key), after: now?.get(key) }));
}

/** The existing side. Throws a TypeError if there is none. */
export function eitherOf<T>({ before, after }: Pair<T>): T {
  const either = before ?? after;
  if (either === undefined) throw new TypeError("a pair without sides");
  return either;
}

/** Both sides, if both exist. */
export function bothOf<T>({ before, after }: Pair<T>): readonly [T, T] | undefined {
  return before === undefined || after === undefined ? undefined : [before, after];
}

/** Maps each existing side. */
export function mapPair<T, R>(
  { before, after }: Pair<T>,
  map: (side: T) => R | undefined,
): Pair<R> {
  return {
    before: before === undefined ? undefined : map(before),
    after: after === undefined ? undefined : map(after),
  };
}
