// Whether two places say the same to a program, whatever they say to people.
import { deepEqual } from "fast-equals";
import { toObject, type Nested, type Written } from "./json.ts";
import { writtenAt } from "./places.ts";
import { resolve } from "./references.ts";

/** How the keys of an object are read: as words of OpenAPI, as names that the author gave, or not at all. */
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
  // Of OAuth scopes the names alone bind.
  if (key === "scopes") return "named texts";
  return NAMES.has(key) ? "names" : "words";
}

/** Whether two places say the same with all references followed; the names of what they refer to do not matter. */
export function isSame(one: Written, other: Written): boolean {
  return compare(one, other, { reading: "words", seen: new Set() });
}

/** Whether two places say the same under a key of OpenAPI. */
export function isSameAt(one: Nested, other: Nested, key: string): boolean {
  const reading = readingOf(key, "words");
  return compare(writtenAt(one, key), writtenAt(other, key), { reading, seen: new Set() });
}

interface Context {
  readonly reading: Reading;
  /** The pairs that were compared. */
  readonly seen: Set<string>;
}

function compare(one: Written, other: Written, context: Context): boolean {
  const { reading, seen } = context;
  if (reading === "text") return true;
  if (reading === "value") return deepEqual(one.node, other.node);
  const pair = JSON.stringify([one.pointer, other.pointer]);
  // A pair that comes again is within itself or was compared already: either way it tells nothing new.
  if ([one, other].some(refersTo) && seen.has(pair)) return true;
  seen.add(pair);
  const [left, right] = [follow(one), follow(other)];
  if (!isNested(left) || !isNested(right)) return deepEqual(left.node, right.node);
  return (
    Array.isArray(left.node) === Array.isArray(right.node) && compareKeys(left, right, context)
  );
}

function compareKeys(one: Nested, other: Nested, { reading, seen }: Context): boolean {
  const [keys, others] = [one, other].map(({ node }) =>
    Object.keys(node).filter((key) => reading !== "words" || isBinding(key)),
  );
  if (!deepEqual(keys?.toSorted(), others?.toSorted())) return false;
  return (keys ?? []).every((key) => {
    const inner = { reading: readingOf(key, reading), seen };
    return compare(writtenAt(one, key), writtenAt(other, key), inner);
  });
}

const isBinding = (key: string): boolean => !PROSE.has(key) && !key.startsWith("x-");

const refersTo = ({ node }: Written): boolean => typeof toObject(node)["$ref"] === "string";

const follow = (from: Written): Written => (refersTo(from) ? (resolve(from) ?? from) : from);

/** Whether there is something in it: a list is read by its numbers, as an object is by its keys. */
function isNested(from: Written): from is Nested {
  return typeof from.node === "object" && from.node !== null;
}
