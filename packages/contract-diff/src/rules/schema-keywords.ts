// The keywords of JSON Schema (2020-12) that constrain values, and how a change of each shifts the allowed values.
import { isObject, toList, toObject, type JsonObject } from "../json.ts";
import type { Form } from "../parts.ts";
import { shiftOfNumbers } from "./bounds.ts";
import { typesOf, valuesOf } from "./listed-values.ts";
import { shiftOfMultiples } from "./multiples.ts";
import {
  shiftOfBounds,
  shiftOfConditions,
  shiftOfPresence,
  shiftOfSets,
  type Shift,
} from "./shift.ts";

type Comparison = (before: JsonObject, after: JsonObject, form?: Form) => Shift;

function greatestCount(keyword: string): Comparison {
  return (before, after) => shiftOfBounds("greatest", before[keyword], after[keyword]);
}

/** A minimum count. None of these can be below 0, so 0 has no effect (JSON Schema 2020-12, validation, section 6). */
function leastCount(keyword: string): Comparison {
  return (before, after) =>
    shiftOfBounds("least", before[keyword] || undefined, after[keyword] || undefined);
}

function condition(keyword: string): Comparison {
  return (before, after) => shiftOfPresence(before[keyword], after[keyword]);
}

function shiftOfUniqueness(
  { uniqueItems: before }: JsonObject,
  { uniqueItems: after }: JsonObject,
): Shift {
  return shiftOfPresence(before || undefined, after || undefined);
}

/** A condition that contains schemas, and so references. Comparing these is not the task of a rule on one keyword. */
function presence(keyword: string): Comparison {
  return (before, after) => {
    const [isSaid, isSaidNow] = [before, after].map((schema) => schema[keyword] !== undefined);
    if (isSaid === isSaidNow) return "same";
    return isSaid ? "wider" : "narrower";
  };
}

/** Conditions that contain schemas. Adding one excludes values and removing one permits more; the effect of a change is unknown. */
export const CONDITIONS = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "dependentSchemas",
  "unevaluatedItems",
  "unevaluatedProperties",
];

// Every int32 is an int64, and every float a double (OpenAPI 3.1, format registry).
const LARGER: ReadonlyMap<unknown, unknown> = new Map([
  ["int32", "int64"],
  ["float", "double"],
]);

function shiftOfFormat({ format: before }: JsonObject, { format: after }: JsonObject): Shift {
  if (LARGER.get(before) === after && after !== undefined) return "wider";
  if (LARGER.get(after) === before && before !== undefined) return "narrower";
  return shiftOfPresence(before, after);
}

function shiftOfUnknownKeys(before: JsonObject, after: JsonObject): Shift {
  // Without the keyword, other keys are allowed, as with true. A schema is compared as a separate part.
  const isClosed = (schema: JsonObject) => schema["additionalProperties"] === false || undefined;
  return shiftOfPresence(isClosed(before), isClosed(after));
}

/** An additional schema allows more if any must hold, and less if all must hold. Their content is compared as separate parts. */
function members(combination: "any" | "all", keyword: string): Comparison {
  return (before, after) => {
    const [old, now] = [before, after].map((schema) =>
      schema[keyword] === undefined ? undefined : toList(schema[keyword]).map((_, at) => at),
    );
    return combination === "any" ? shiftOfSets(old, now) : shiftOfConditions(old, now);
  };
}

/** A schema with `properties` or `items` means an object or an array, even without a type. */
function shiftOfTypes(before: JsonObject, after: JsonObject, form?: Form): Shift {
  if (before["type"] === undefined && after["type"] === undefined) return "same";
  const [old, now] = [before, after].map((schema) => toTypes(schema));
  return form === undefined
    ? shiftOfSets(old, now)
    : shiftOfSets(old && withoutQuotes(old), now && withoutQuotes(now));
}

/** Without quotes, text and numbers look the same: each number is also a text. */
const withoutQuotes = (types: readonly unknown[]): readonly unknown[] =>
  types.includes("string") ? [...types, "number", "integer", "boolean"] : types;

function toTypes(schema: JsonObject): readonly unknown[] | undefined {
  const types = typesOf(schema);
  if (types !== undefined) return types;
  if (isObject(schema["properties"])) return ["object"];
  return schema["items"] === undefined ? undefined : ["array"];
}

/** Every text contains an empty one, so these patterns have no effect. */
const ANY_TEXT: ReadonlySet<unknown> = new Set(["", ".*"]);

function shiftOfPatterns(before: JsonObject, after: JsonObject): Shift {
  const [old, now] = [before, after].map(({ pattern }) =>
    ANY_TEXT.has(pattern) ? undefined : pattern,
  );
  return shiftOfPresence(old, now);
}

/** Each dependency between two fields is a condition. */
const toDependents = ({ dependentRequired }: JsonObject) =>
  Object.entries(toObject(dependentRequired)).flatMap(([field, others]) =>
    toList(others).map((other) => [field, other]),
  );

/** Constraints of values of one type. Next to another type they say nothing more: the type has changed. */
const ofOneType: Readonly<Record<string, Comparison>> = {
  format: shiftOfFormat,
  pattern: shiftOfPatterns,
  multipleOf: shiftOfMultiples,
  uniqueItems: shiftOfUniqueness,
  contentEncoding: condition("contentEncoding"),
  contentMediaType: condition("contentMediaType"),
  minimum: (before, after) => shiftOfNumbers("least", before, after),
  minLength: leastCount("minLength"),
  minItems: leastCount("minItems"),
  minProperties: leastCount("minProperties"),
  maximum: (before, after) => shiftOfNumbers("greatest", before, after),
  maxLength: greatestCount("maxLength"),
  maxItems: greatestCount("maxItems"),
  maxProperties: greatestCount("maxProperties"),
};

function unlessOfOthers(compare: Comparison): Comparison {
  return (before, after, form) => {
    const [old, now] = [before, after].map(toTypes);
    const numbers = new Set<unknown>(["number", "integer"]);
    const isAlike = (one: unknown): boolean =>
      now?.some((other) => other === one || (numbers.has(one) && numbers.has(other))) === true;
    return old === undefined || now === undefined || old.some(isAlike)
      ? compare(before, after, form)
      : "same";
  };
}

/** `examples`, `title` and the like do not constrain values; `properties` and `items` are separate parts. */
export const schemaKeywords: Readonly<Record<string, Comparison>> = {
  type: shiftOfTypes,
  enum: (before, after) => shiftOfSets(valuesOf(before), valuesOf(after)),
  required: ({ required: before }, { required: after }) =>
    shiftOfConditions(toList(before), toList(after)),
  additionalProperties: shiftOfUnknownKeys,
  ...Object.fromEntries(
    Object.entries(ofOneType).map(([keyword, compare]) => [keyword, unlessOfOthers(compare)]),
  ),
  // Without it, one item must match `contains` (JSON Schema 2020-12, core, section 10.3.1.3).
  minContains: ({ minContains: before = 1 }, { minContains: after = 1 }) =>
    shiftOfBounds("least", before, after),
  maxContains: greatestCount("maxContains"),
  dependentRequired: (before, after) =>
    shiftOfConditions(toDependents(before), toDependents(after)),
  anyOf: members("any", "anyOf"),
  oneOf: members("any", "oneOf"),
  allOf: members("all", "allOf"),
  ...Object.fromEntries(CONDITIONS.map((keyword) => [keyword, presence(keyword)])),
};

/** The keywords of a rule, if it is about more than one. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  enum: ["enum", "const"],
  minimum: ["minimum", "exclusiveMinimum"],
  maximum: ["maximum", "exclusiveMaximum"],
};

/** All keywords that the rule of a keyword is about. */
export function spellingsOf(keyword: string): readonly string[] {
  return SPELLINGS[keyword] ?? [keyword];
}
