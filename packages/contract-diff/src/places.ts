// Places in a document, with references followed.
import { below, type Nested, type Place, toList, type Written } from "./json.ts";
import { eitherOf, mapPair, pairByKey, type Pair } from "./pairs.ts";
import { resolve } from "./references.ts";

/** The object under a key; undefined if it is not an object. */
export function inside(place: Place, key: string): Place | undefined {
  return resolve(writtenAt(place, key));
}

/** The object at the end of several keys; undefined if one of them leads to no object. */
export function path(from: Place, ...keys: readonly string[]): Place | undefined {
  return keys.reduce<Place | undefined>((at, key) => at && inside(at, key), from);
}

/** All objects in an object, by key. Follows only the keys that `isAsked` selects. */
export function* children(
  place: Place | undefined,
  isAsked: (key: string) => boolean = () => true,
): Generator<readonly [string, Place]> {
  for (const key of Object.keys(place?.node ?? {}).filter(isAsked)) {
    const child = place && inside(place, key);
    if (child) yield [key, child];
  }
}

/** All objects of the list under a key. */
export function list(place: Place, key: string): Place[] {
  const at = below(place.pointer, key);
  return toList(place.node[key]).flatMap(
    (item, index) =>
      resolve({ ...writtenAt(place, key), pointer: below(at, index), node: item }) ?? [],
  );
}

/** The node under a key. */
export function writtenAt(
  { document, pointer, node, isJoined = false }: Nested,
  key: string,
): Written {
  return { document, pointer: below(pointer, key), node: node[key], isJoined };
}

/** How names of two objects are compared, and which are followed. */
interface Naming {
  readonly toKey?: (name: string) => string;
  readonly isAsked?: (name: string) => boolean;
}

/** The pairs of objects under a key of both, with the names of the earlier document. */
export function pairInside(
  pair: Pair<Place>,
  key: string,
  { toKey = (name) => name, isAsked = () => true }: Naming = {},
): (readonly [string, Pair<Place>])[] {
  const { before = [], after = [] } = mapPair(pair, (place) => [
    ...children(inside(place, key), isAsked),
  ]);
  return pairByKey(before, after, ([name]) => toKey(name)).map((both) => [
    eitherOf(both)[0],
    mapPair(both, ([, place]) => place),
  ]);
}
