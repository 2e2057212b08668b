// Places in a document: what stands there once references are followed, and whether two of them say the same.
import { isDeepStrictEqual } from "node:util";
import { below, isObject, lookUp, toList, toObject, type JsonObject } from "./json.ts";

/** Something that is written in a document, with its references. */
export interface Written {
  readonly document: JsonObject;
  readonly pointer: string;
  readonly node: unknown;
}

/** Something that is written in a document and has keys. */
interface Nested extends Written {
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

/** All objects in an object, by their keys. */
export function* children(place: Place | undefined): Generator<readonly [string, Place]> {
  for (const key of Object.keys(place?.node ?? {})) {
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

/** Follows references. What stands beside one is put over what it leads to, as OpenAPI 3.1 allows. */
function resolve(from: Written, within: readonly string[] = []): Place | undefined {
  const { document, pointer, node } = from;
  // As a schema, true allows everything and false nothing (JSON Schema 2020-12, core, section 4.3.2).
  if (typeof node === "boolean") return { ...from, node: node ? {} : { not: {} }, usedAt: pointer };
  const { $ref: target, ...beside } = toObject(node);
  if (typeof target !== "string")
    return isObject(node) ? { ...from, node, usedAt: pointer } : undefined;
  if (!target.startsWith("#"))
    throw new Error(
      `${pointer} refers to ${target}, which is not in the document: bundle it first, for example with redocly bundle`,
    );
  if (within.includes(target)) throw new Error(`${pointer} refers to ${target}, and so to itself`);
  const found = lookUp(document, decode(target));
  if (found === undefined) throw new Error(`${pointer} refers to ${target}, which is not there`);
  const place = resolve({ document, pointer: target, node: found }, [...within, target]);
  return place && { ...place, node: { ...place.node, ...beside }, usedAt: pointer };
}

/** A reference is a URI, in which a key may be percent-encoded (RFC 6901, section 6). */
function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Whether two places say the same with all references followed; the names of what they refer to do not matter. */
export function isSame(one: Written, other: Written, seen: Set<string> = new Set()): boolean {
  const references = [one, other].map(refersTo);
  const pair = JSON.stringify([one.pointer, other.pointer]);
  // A pair that comes again is within itself or was compared already: either way it tells nothing new.
  if (references.includes(true) && seen.has(pair)) return true;
  seen.add(pair);
  const [left, right] = [follow(one), follow(other)];
  if (!isNested(left) || !isNested(right)) return isDeepStrictEqual(left.node, right.node);
  const keys = Object.keys(left.node);
  return (
    Array.isArray(left.node) === Array.isArray(right.node) &&
    isDeepStrictEqual(keys.toSorted(), Object.keys(right.node).toSorted()) &&
    keys.every((key) => isSame(writtenAt(left, key), writtenAt(right, key), seen))
  );
}

const refersTo = ({ node }: Written): boolean => typeof toObject(node)["$ref"] === "string";

const follow = (from: Written): Written => (refersTo(from) ? (resolve(from) ?? from) : from);

/** Whether there is something in it: a list is read by its numbers, as an object is by its keys. */
function isNested(from: Written): from is Nested {
  return typeof from.node === "object" && from.node !== null;
}
