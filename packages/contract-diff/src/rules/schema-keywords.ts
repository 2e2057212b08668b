// The keywords of JSON Schema (2020-12) that bind values, and how a change of each moves what is allowed.
import { toList, type JsonObject } from "../json.ts";
import { typesOf, valuesOf } from "./listed-values.ts";
import {
  shiftOfBounds,
  shiftOfConditions,
  shiftOfPresence,
  shiftOfSets,
  type Shift,
} from "./shift.ts";

type Comparison = (before: JsonObject, after: JsonObject) => Shift;

function bound(kind: "least" | "greatest", keyword: string): Comparison {
  return (before, after) => shiftOfBounds(kind, before[keyword], after[keyword]);
}

/** A least count; none of these can be below 0, so 0 does not bind (JSON Schema 2020-12, validation, section 6). */
function leastCount(keyword: string): Comparison {
  return (before, after) =>
    shiftOfBounds("least", before[keyword] || undefined, after[keyword] || undefined);
}

function condition(keyword: string): Comparison {
  return (before, after) => shiftOfPresence(before[keyword], after[keyword]);
}

function shiftOfFormat({ format: before }: JsonObject, { format: after }: JsonObject): Shift {
  // Every int32 is an int64 (OpenAPI 3.1, format registry).
  if (before === "int32" && after === "int64") return "wider";
  if (before === "int64" && after === "int32") return "narrower";
  return shiftOfPresence(before, after);
}

function shiftOfUnknownKeys(before: JsonObject, after: JsonObject): Shift {
  // Without the keyword other keys are allowed, as they are with true; a schema is compared as a part of its own.
  const isClosed = (schema: JsonObject) => schema["additionalProperties"] === false || undefined;
  return shiftOfPresence(isClosed(before), isClosed(after));
}

/** One schema more of which any may hold allows more; one more of which all must hold, less. What is in them is compared as parts. */
function members(combination: "any" | "all", keyword: string): Comparison {
  return (before, after) => {
    const [old, now] = [before, after].map((schema) =>
      schema[keyword] === undefined ? undefined : toList(schema[keyword]).map((_, at) => at),
    );
    return combination === "any" ? shiftOfSets(old, now) : shiftOfConditions(old, now);
  };
}

/** `examples`, `title` and the like bind nothing; `properties` and `items` are parts of their own. */
export const schemaKeywords: Readonly<Record<string, Comparison>> = {
  type: (before, after) => shiftOfSets(typesOf(before), typesOf(after)),
  enum: (before, after) => shiftOfSets(valuesOf(before), valuesOf(after)),
  required: ({ required: before }, { required: after }) =>
    shiftOfConditions(toList(before), toList(after)),
  additionalProperties: shiftOfUnknownKeys,
  format: shiftOfFormat,
  pattern: condition("pattern"),
  multipleOf: condition("multipleOf"),
  uniqueItems: condition("uniqueItems"),
  contentEncoding: condition("contentEncoding"),
  minimum: bound("least", "minimum"),
  exclusiveMinimum: bound("least", "exclusiveMinimum"),
  minLength: leastCount("minLength"),
  minItems: leastCount("minItems"),
  minProperties: leastCount("minProperties"),
  maximum: bound("greatest", "maximum"),
  exclusiveMaximum: bound("greatest", "exclusiveMaximum"),
  maxLength: bound("greatest", "maxLength"),
  maxItems: bound("greatest", "maxItems"),
  maxProperties: bound("greatest", "maxProperties"),
  anyOf: members("any", "anyOf"),
  oneOf: members("any", "oneOf"),
  allOf: members("all", "allOf"),
};
