// A schema that says one other by `allOf` and nothing more of values: the usual way to write something beside a reference.
import { deepEqual } from "fast-equals";
import { isSaid } from "./beside-reference.ts";
import { list } from "./places.ts";
import type { Place } from "./json.ts";

/**
 * Both schemas, where one of them is no such list: the other then without it, with what is said beside it. Two lists are compared
 * as lists: what is added to one of them is told as that.
 */
export function unwrapUnlike(before: Place, after: Place): readonly [Place, Place] {
  const isList = ({ node }: Place) => node["allOf"] !== undefined;
  return isList(before) === isList(after) ? [before, after] : [unwrap(before), unwrap(after)];
}

/** `within`: pointers of the schemas that it was in, lest one that says itself alone is followed for ever. */
export function unwrap(place: Place, within: readonly string[] = []): Place {
  const { allOf: members, ...beside } = place.node;
  const [inner, another] = Array.isArray(members) ? list(place, "allOf") : [];
  if (inner === undefined || another !== undefined || within.includes(inner.pointer)) return place;
  const isBeside = ([key, value]: [string, unknown]) =>
    isSaid(key) || deepEqual(value, inner.node[key]);
  if (!Object.entries(beside).every(isBeside)) return place;
  return unwrap({ ...inner, node: { ...inner.node, ...beside } }, [...within, inner.pointer]);
}
