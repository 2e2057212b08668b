// A schema that only has one schema in `allOf`: the usual way to write annotations next to a reference.
import { deepEqual } from "fast-equals";
import { isSaid } from "./beside-reference.ts";
import { list } from "./places.ts";
import type { Place } from "./json.ts";

/**
 * Unwraps both schemas if only one of them has `allOf`. Two lists are compared as lists, so that additions to them are reported as such.
 */
export function unwrapUnlike(before: Place, after: Place): readonly [Place, Place] {
  const isList = ({ node }: Place) => node["allOf"] !== undefined;
  return isList(before) === isList(after) ? [before, after] : [unwrap(before), unwrap(after)];
}

/** `within`: pointers of the enclosing schemas, to stop if a schema contains itself. */
export function unwrap(place: Place, within: readonly string[] = []): Place {
  const { allOf: members, ...beside } = place.node;
  const [inner, another] = Array.isArray(members) ? list(place, "allOf") : [];
  if (inner === undefined || another !== undefined || within.includes(inner.pointer)) return place;
  const isBeside = ([key, value]: [string, unknown]) =>
    isSaid(key) || deepEqual(value, inner.node[key]);
  if (!Object.entries(beside).every(isBeside)) return place;
  return unwrap({ ...inner, node: { ...inner.node, ...beside } }, [...within, inner.pointer]);
}
