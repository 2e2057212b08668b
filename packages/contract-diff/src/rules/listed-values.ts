// A schema that lists its values, by `const` or `enum`, allows no others, whatever keywords stand beside the list or do not.
import { toList, type JsonObject } from "../json.ts";

/** The values that a schema allows and no others; undefined where it has no such list. */
export function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return schema["enum"] === undefined ? undefined : toList(schema["enum"]);
}

/** The names of JSON Schema's types; every integer is a number (JSON Schema 2020-12, validation, section 6.1.1). */
export function typesOf({ type, nullable }: JsonObject): readonly unknown[] | undefined {
  if (type === undefined) return undefined;
  // OpenAPI 3.0 has no list of types, and this in its place.
  const types = [...toList(type), ...(nullable === true ? ["null"] : [])];
  return types.includes("number") ? [...types, "integer"] : types;
}

/** Whether a value keeps a keyword of a schema. Of keywords that are not here it cannot be told. */
const keeps: Readonly<Record<string, (value: unknown, schema: JsonObject) => boolean>> = {
  type: (value, schema) => typesOf(schema)?.includes(typeOf(value)) ?? true,
  maxItems: (value, { maxItems }) => !Array.isArray(value) || value.length <= Number(maxItems),
  minItems: (value, { minItems }) => !Array.isArray(value) || value.length >= Number(minItems),
};

/** Whether one of two schemas has a keyword and the other, in its place, a list of values that all keep it: it binds neither more. */
export function isKeptByValues(keyword: string, one: JsonObject, other: JsonObject): boolean {
  const [said, unsaid] = one[keyword] === undefined ? [other, one] : [one, other];
  if (unsaid[keyword] !== undefined) return false;
  const isKept = keeps[keyword];
  const values = valuesOf(unsaid);
  return (
    isKept !== undefined && values !== undefined && values.every((value) => isKept(value, said))
  );
}

/** Whether a schema lists its values and none of them is an array with something in it, so that `items` has nothing to say. */
export function hasNoItems(schema: JsonObject): boolean {
  const values = valuesOf(schema);
  return values !== undefined && values.every((value) => toLength(value) === 0);
}

const toLength = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
