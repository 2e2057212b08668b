// The fields of an object that only the other side writes, which are no part of it in this place.
import { toList, toObject, type Place } from "./json.ts";
import type { Role } from "./parts.ts";
import { children, inside, list } from "./places.ts";

/** OpenAPI 3.1, schema object: `readOnly` fields are not sent, `writeOnly` fields not answered, even if they are required. */
export function findOthersFields(
  schema: Place,
  { direction }: Pick<Role, "direction">,
  within: readonly string[] = [],
): string[] {
  if (within.includes(schema.pointer)) return [];
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  const fields = [...children(inside(schema, "properties"))];
  const own = fields.filter(([, { node }]) => node[mark] === true).map(([name]) => name);
  const inner = [...within, schema.pointer];
  const members = list(schema, "allOf").flatMap((member) =>
    findOthersFields(member, { direction }, inner),
  );
  return [...own, ...members];
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
