// Schemas as people write them, with keywords that JSON Schema would refuse: what is clear is kept, and what says nothing is left out.
import { isObject, type JsonObject } from "@call-media/contract-diff";

const TYPES: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

const isText = (value: unknown): boolean => typeof value === "string";

/** A number, which some documents write as a text. Undefined for anything else. */
function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

const toCount = (value: unknown): number | undefined => {
  const number = toNumber(value);
  return number !== undefined && number >= 0 ? Math.floor(number) : undefined;
};

const toSet = (value: unknown): unknown[] | undefined =>
  Array.isArray(value)
    ? [...new Map(value.map((one) => [JSON.stringify(one), one])).values()]
    : undefined;

/** `required: true` at a property is of Swagger 1, and says nothing of the property's own members. */
const toNames = (value: unknown): unknown[] | undefined => toSet(value)?.filter(isText);

const toTypes = (value: unknown): unknown => {
  const types = toSet([value].flat())?.filter((one) => TYPES.has(one)) ?? [];
  return types.length > 1 ? types : types[0];
};

const toObjects = (value: unknown): unknown =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema) ? value : undefined;

const isSchema = (value: unknown): boolean => isObject(value) || typeof value === "boolean";
const orNone =
  (isRight: (value: unknown) => boolean) =>
  (value: unknown): unknown =>
    isRight(value) ? value : undefined;

const KEYWORDS: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: toTypes,
  enum: (value) => (toSet(value)?.length === 0 ? undefined : toSet(value)),
  required: toNames,
  properties: orNone(isObject),
  patternProperties: orNone(isObject),
  items: orNone(isSchema),
  additionalProperties: orNone(isSchema),
  not: orNone(isSchema),
  allOf: toObjects,
  oneOf: toObjects,
  anyOf: toObjects,
  format: orNone(isText),
  pattern: orNone(isText),
  exclusiveMinimum: (value) => (value === true ? value : toNumber(value)),
  exclusiveMaximum: (value) => (value === true ? value : toNumber(value)),
  multipleOf: (value) => (Number(toNumber(value)) > 0 ? toNumber(value) : undefined),
  ...Object.fromEntries(["minimum", "maximum"].map((name) => [name, toNumber])),
  ...Object.fromEntries(
    ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
      (name) => [name, toCount],
    ),
  ),
  uniqueItems: orNone((value) => typeof value === "boolean"),
};

/** The schema without keywords that no validator accepts. */
export const toUsable = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema)
      .map(
        ([name, value]) =>
          [name, KEYWORDS[name]?.(value) ?? (name in KEYWORDS ? undefined : value)] as const,
      )
      .filter(([, value]) => value !== undefined),
  );

/** Patterns are of many engines: one that is only right without the flag `u` is read so. One that nobody here can read fits all. */
export const toPattern = (source: string, flags: string): RegExp =>
  readPattern(source, flags) ?? /(?:)/;

function readPattern(source: string, flags: string): RegExp | undefined {
  for (const one of [flags, ""])
    try {
      return new RegExp(source, one);
    } catch {
      // the next one
    }
  return undefined;
}

export const isReadable = (pattern: string): boolean => readPattern(pattern, "u") !== undefined;
