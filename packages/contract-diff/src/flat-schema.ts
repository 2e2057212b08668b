// A schema with `allOf` as one schema that says the same, so far as one can: the usual way to extend another schema.
import { deepEqual } from "fast-equals";
import { isSaid, joinSchemas } from "./beside-reference.ts";
import { below, isObject, type JsonObject, type Place, toObject } from "./json.ts";
import { list } from "./places.ts";

/**
 * Both schemas as one each, where their lists have other members: fields that move into a member, or out of one, are no change.
 * Lists of as many members and the same references are compared as lists, which tells each change in its place.
 */
export function flattenUnlike(before: Place, after: Place): readonly [Place, Place] {
  const [old, now] = [before, after].map(toNamesOfMembers);
  return deepEqual(old, now) ? [before, after] : [flatten(before), flatten(after)];
}

/** The pointers of members that are references, and nothing for the others. */
function toNamesOfMembers(place: Place): string[] {
  const members = list(place, "allOf").map(({ pointer, usedAt }) =>
    pointer === usedAt ? "" : pointer,
  );
  return members.toSorted();
}

/** What one schema cannot say for all members stays in its `allOf`. */
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

/** What binds values in a member, with references to the schemas in it: so each keeps its own place. */
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
