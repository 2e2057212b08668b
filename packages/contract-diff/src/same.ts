// Tests whether two places are equivalent for a program, whatever their texts for people say.
import { deepEqual } from "fast-equals";
import { toObject, type Nested, type Written } from "./json.ts";
import { writtenAt } from "./places.ts";
import { resolve } from "./references.ts";

/** How the keys of an object are read: as OpenAPI keywords, as names chosen by the author, or not at all. */
type Reading = "words" | "names" | "named texts" | "text" | "value";

const PROSE: ReadonlySet<string> = new Set(
  "$comment description example examples externalDocs summary tags title".split(" "),
);

const VALUES: ReadonlySet<string> = new Set(["const", "default", "enum"]);

const NAMES: ReadonlySet<string> = new Set(
  (
    "$defs callbacks content definitions dependentRequired dependentSchemas encoding headers links mapping parameters " +
    "patternProperties properties responses security variables webhooks"
  ).split(" "),
);

function readingOf(key: string, within: Reading): Reading {
  if (within === "named texts") return "text";
  if (within === "names") return "words";
  if (VALUES.has(key)) return "value";
  // Only the names of OAuth scopes are binding.
  if (key === "scopes") return "named texts";
  return NAMES.has(key) ? "names" : "words";
}

/** The nodes at the same place of both documents. */
export interface Difference {
  readonly before: Written;
  readonly after: Written;
}

/** True if two places are equivalent with all references followed. The names of referenced components do not matter. */
export function isSame(one: Written, other: Written): boolean {
  return compare(one, other, { reading: "words", seen: new Set() }) === undefined;
}

/** The first difference under a key of OpenAPI; undefined if there is none. */
export function findDifference(one: Nested, other: Nested, key: string): Difference | undefined {
  const context = { reading: readingOf(key, "words"), seen: new Set<string>() };
  return compare(writtenAt(one, key), writtenAt(other, key), context);
}

/** True if two places are equivalent under a key of OpenAPI. */
export function isSameAt(one: Nested, other: Nested, key: string): boolean {
  return findDifference(one, other, key) === undefined;
}

/** Follows every reference in places that have no counterpart. Throws an Error if one has no target. */
export function followReferences(places: Iterable<Written>): void {
  const seen = new Set<string>();
  for (const place of places) compare(place, place, { reading: "words", seen });
}

interface Context {
  readonly reading: Reading;
  /** The pairs of references that were already compared. */
  readonly seen: Set<string>;
}

function compare(before: Written, after: Written, context: Context): Difference | undefined {
  const { reading, seen } = context;
  if (reading === "text") return undefined;
  if (reading === "value") return compareValues(before, after);
  if (refersTo(before) || refersTo(after)) {
    // A repeated pair contains itself or was compared before, so it shows nothing new.
    const pair = `${before.pointer} ${after.pointer}`;
    if (seen.has(pair)) return undefined;
    seen.add(pair);
    return compareNested(follow(before), follow(after), context);
  }
  return compareNested(before, after, context);
}

/** Compares the values literally: they contain no references. */
export const compareValues = (before: Written, after: Written): Difference | undefined =>
  deepEqual(before.node, after.node) ? undefined : { before, after };

function compareNested(
  before: Written,
  after: Written,
  { reading, seen }: Context,
): Difference | undefined {
  if (!isNested(before) || !isNested(after)) return compareValues(before, after);
  if (Array.isArray(before.node) !== Array.isArray(after.node)) return { before, after };
  const keys = new Set([...Object.keys(before.node), ...Object.keys(after.node)]);
  for (const key of keys) {
    if (reading === "words" && !isBinding(key)) continue;
    const inner = { reading: readingOf(key, reading), seen };
    const found = compare(writtenAt(before, key), writtenAt(after, key), inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isBinding = (key: string): boolean => !PROSE.has(key) && !key.startsWith("x-");

const refersTo = ({ node }: Written): boolean => typeof toObject(node)["$ref"] === "string";

const follow = (from: Written): Written => (refersTo(from) ? (resolve(from) ?? from) : from);

/** True if it has content: a list is read by its indices, as an object is by its keys. */
function isNested(from: Written): from is Nested {
  return typeof from.node === "object" && from.node !== null;
}
