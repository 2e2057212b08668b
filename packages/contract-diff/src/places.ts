// Places in a document: what stands there once references are followed.
import { below, toList, type JsonObject } from "./json.ts";
import { resolve } from "./references.ts";

/** Something that is written in a document, with its references. */
export interface Written {
  readonly document: JsonObject;
  readonly pointer: string;
  readonly node: unknown;
}

/** Something that is written in a document and has keys. */
export interface Nested extends Written {
  readonly node: JsonObject;
}

/** An object that is written in a document, where it is after references were followed. */
export interface Place extends Nested {
  /** Where the reference stands by which it was reached; elsewhere its own pointer. */
  readonly usedAt: string;
}

/** What stands under a key; undefined where it is no object. */
export function inside(place: Place, key: string): Place | undefined {
  return resolve(writtenAt(place, key));
}

/** What stands at the end of several keys; undefined where one of them leads to no object. */
export function path(from: Place, ...keys: readonly string[]): Place | undefined {
  return keys.reduce<Place | undefined>((at, key) => at && inside(at, key), from);
}

/** All objects in an object, by their keys; where some of the keys are asked for, no other is followed. */
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
export function list({ document, pointer, node }: Place, key: string): Place[] {
  const at = below(pointer, key);
  return toList(node[key]).flatMap(
    (item, index) => resolve({ document, pointer: below(at, index), node: item }) ?? [],
  );
}

/** What is written under a key. */
export function writtenAt({ document, pointer, node }: Nested, key: string): Written {
  return { document, pointer: below(pointer, key), node: node[key] };
}
