// The fields of an object that only the other side writes, and that do not belong to it at this place.
import { toList, toObject, type Place } from "./json.ts";
import type { Direction } from "./parts.ts";
import { children, inside, list } from "./places.ts";

/**
 * OpenAPI 3.1, schema object: `readOnly` fields are not sent in requests and `writeOnly` fields not in responses, even if they are
 * required.
 */
export function findOthersFields(schema: Place, direction: Direction): string[] {
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  const found: string[] = [];
  const schemas = new Map([[schema.pointer, schema]]);
  // The map grows during the loop.
  for (const each of schemas.values()) {
    for (const [name, { node }] of children(inside(each, "properties")))
      if (node[mark] === true) found.push(name);
    for (const member of list(each, "allOf"))
      if (!schemas.has(member.pointer)) schemas.set(member.pointer, member);
  }
  return found;
}

export function withoutFields(schema: Place, names: readonly string[]): Place {
  if (names.length === 0) return schema;
  const { properties, required } = schema.node;
  const fields = Object.entries(toObject(properties)).filter(([name]) => !names.includes(name));
  const node = {
    ...schema.node,
    ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
    ...(required !== undefined && {
      required: toList(required).filter((name) => !names.includes(String(name))),
    }),
  };
  return { ...schema, node };
}
