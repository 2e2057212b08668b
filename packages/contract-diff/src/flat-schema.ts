// Rewrites a schema with `allOf` as one equivalent schema, as far as possible: `allOf` is the usual way to extend a schema.
import { deepEqual } from "fast-equals";
import { isSaid, joinSchemas } from "./beside-reference.ts";
import { below, isObject, type JsonObject, type Place, toObject } from "./json.ts";
import { list } from "./places.ts";

/**
 * Flattens both schemas if their lists have different members: moving fields into or out of a member is not a change. Lists with the same
 * references are compared as lists, so that each change is reported in its place.
 */
export function flattenUnlike(before: Place, after: Place): readonly [Place, Place] {
  const [old, now] = [before, after].map(toNamesOfMembers);
  return deepEqual(old, now) ? [before, after] : [flatten(before), flatten(after)];
}

/** The pointers of members that are references; an empty text for the others. */
function toNamesOfMembers(place: Place): string[] {
  const members = list(place, "allOf").map(({ pointer, usedAt }) =>
    pointer === usedAt ? "" : pointer,
  );
  return members.toSorted();
}

/** The members that cannot be merged stay in `allOf`. */
function flatten(place: Place): Place {
  const known = new Set([place.pointer]);
  const join = (each: Place, own: JsonObject): JsonObject => {
    const members = list(each, "allOf").filter(({ pointer }) => !known.has(pointer));
    for (const { pointer } of members) known.add(pointer);
    return members.reduce((joined, member) => joinSchemas(joined, join(member, bind(member))), own);
  };
  const { allOf: _, ...own } = place.node;
  return { ...place, node: join(place, own), isJoined: true };
}

/** The constraints of a member, with references to the schemas in it: each keeps its own place that way. */
function bind({ pointer, node, isJoined = false }: Place): JsonObject {
  const toReference = (at: string, value: unknown) =>
    isObject(value) && !isJoined ? { $ref: at.replaceAll("%", "%25") } : value;
  const entries = Object.entries(node).filter(
    ([key, value]) =>
      !isSaid(key) &&
      !["allOf", "discriminator", "xml"].includes(key) &&
      !(key === "additionalProperties" && value === true),
  );
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const at = below(pointer, key);
      if (key === "items" || key === "additionalProperties") return [key, toReference(at, value)];
      if (key !== "properties") return [key, value];
      const fields = Object.entries(toObject(value));
      return [
        key,
        Object.fromEntries(
          fields.map(([name, field]) => [name, toReference(below(at, name), field)]),
        ),
      ];
    }),
  );
}
