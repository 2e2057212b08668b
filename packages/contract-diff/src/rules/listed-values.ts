// A schema that lists its values, by `const` or `enum`, allows no others, whatever its other keywords say.
import { deepEqual } from "fast-equals";
import { isObject, toList, type JsonObject } from "../json.ts";
import { isWithin } from "./bounds.ts";
import { isMultiple } from "./multiples.ts";
import type { Shift } from "./shift.ts";

/** The only values that a schema allows; undefined if it has no such list. */
export function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return schema["enum"] === undefined ? undefined : toList(schema["enum"]);
}

/** The names of JSON Schema's types; every integer is a number (JSON Schema 2020-12, validation, section 6.1.1). */
export function typesOf({ type, nullable }: JsonObject): readonly unknown[] | undefined {
  if (type === undefined) return undefined;
  // OpenAPI 3.0 has no list of types, and uses this instead.
  const types = [...toList(type), ...(nullable === true ? ["null"] : [])];
  return types.includes("number") ? [...types, "integer"] : types;
}

type Test = (value: unknown, schema: JsonObject) => boolean;

/** Tests a value against a keyword of a schema. Keywords that are missing here cannot be tested. */
const keeps: Readonly<Record<string, Test>> = {
  type: (value, schema) => typesOf(schema)?.includes(typeOf(value)) ?? true,
  required: (value, { required }) =>
    !isObject(value) || toList(required).every((name) => Object.hasOwn(value, String(name))),
  pattern: (value, { pattern }) => typeof value !== "string" || matches(String(pattern), value),
  uniqueItems: (value) =>
    !Array.isArray(value) ||
    value.every((item, at) => !value.slice(0, at).some((other) => deepEqual(item, other))),
  minimum: (value, schema) => typeof value !== "number" || isWithin("least", value, schema),
  maximum: (value, schema) => typeof value !== "number" || isWithin("greatest", value, schema),
  multipleOf: (value, { multipleOf }) =>
    typeof value !== "number" || isMultiple(value, Number(multipleOf)),
  ...keepsCount("Length", (value) =>
    typeof value === "string" ? Array.from(value).length : undefined,
  ),
  ...keepsCount("Items", (value) => (Array.isArray(value) ? value.length : undefined)),
  ...keepsCount("Properties", (value) => (isObject(value) ? Object.keys(value).length : undefined)),
};

/** The keywords for a minimum and a maximum count. A value without a count satisfies both. */
function keepsCount(what: string, count: (value: unknown) => number | undefined) {
  const [least, greatest] = [`min${what}`, `max${what}`];
  const test: Record<string, Test> = {
    [least]: (value, schema) => (count(value) ?? Infinity) >= Number(schema[least] ?? 0),
    [greatest]: (value, schema) => (count(value) ?? 0) <= Number(schema[greatest] ?? Infinity),
  };
  return test;
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    // An invalid pattern cannot be tested.
    return false;
  }
}

/**
 * True if a change of a keyword has no effect, because the values are listed. A looser keyword permits no more if the values of the later
 * schema satisfied the old keyword. A stricter one excludes none if the values of the earlier schema satisfy the new keyword.
 */
export function isKeptByValues(keyword: string, change: Change): boolean {
  const { before, after, shift } = change;
  const isLooseSafe = shift === "narrower" || isKept(keyword, valuesOf(after), before);
  const isStrictSafe = shift === "wider" || isKept(keyword, valuesOf(before), after);
  return isLooseSafe && isStrictSafe;
}

export interface Change {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly shift: Shift;
}

function isKept(keyword: string, values: readonly unknown[] | undefined, schema: JsonObject) {
  const test = keeps[keyword];
  return test !== undefined && (values?.every((value) => test(value, schema)) ?? false);
}

/** True if a schema lists its values and none of them is a non-empty array, so that `items` has no effect. */
export function hasNoItems(schema: JsonObject): boolean {
  const values = valuesOf(schema);
  return values !== undefined && values.every((value) => toLength(value) === 0);
}

const toLength = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** The JSON Schema type of a value. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
