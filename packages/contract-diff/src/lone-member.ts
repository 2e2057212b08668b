// A schema that says one other by `allOf` and nothing more of values: the usual way to write something beside a reference.
import { deepEqual } from "fast-equals";
import { isSaid } from "./beside-reference.ts";
import { list } from "./places.ts";
import type { Place } from "./json.ts";

/**
 * The one other, with what is said beside it, where `counterpart`, what the other document has in this place, is no such
 * list. Where it is one, both lists are compared: then what is added to them is told as that.
 */
export function unwrapLone(place: Place, counterpart: Place | undefined): Place {
  if (counterpart === undefined || counterpart.node["allOf"] !== undefined) return place;
  return unwrap(place);
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
