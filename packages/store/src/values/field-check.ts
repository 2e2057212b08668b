// Checks values of the contract's fields. The checks are built once, from the contract's schemas, and are plain loops:
// they run for every field of every imported row.
import type { SchemaObject } from "@call-media/api";

/** Returns the fault of the value as the end of a sentence about the field; undefined if it is valid. */
export type FieldCheck = (value: unknown) => string | undefined;

export function createFieldCheck(schema: SchemaObject): FieldCheck {
  const types = typesOf(schema);
  if (types.length === 0) return () => undefined; // any JSON value (D04)
  const check = createCheckOf(types[0] ?? "", schema);
  return types.includes("null")
    ? (value) => (value === null ? undefined : toNullable(check(value)))
    : check;
}

/** The value of a missing field: null, false, an empty list; undefined if the field is required. */
export function toDefault(schema: SchemaObject): null | false | readonly never[] | undefined {
  const types = typesOf(schema);
  if (types.length === 0 || types.includes("null")) return null;
  if (types[0] === "boolean") return false;
  return types[0] === "array" ? [] : undefined;
}

/**
 * Text that an archive can store. NUL is excluded because it ends a text in SQLite and in C programs. Lone
 * surrogates are excluded because UTF-8 cannot express them.
 */
export const checkText: FieldCheck = (value) => {
  if (typeof value !== "string") return `must be a string, not ${toKind(value)}`;
  if (value.includes("\0")) return "has a NUL character";
  return value.isWellFormed() ? undefined : "has half of a surrogate pair";
};

/** For durations in whole seconds and identifiers: never negative, and never greater than a double can hold exactly. */
export const checkInteger: FieldCheck = (value) => {
  if (typeof value !== "number") return `must be an integer, not ${toKind(value)}`;
  return Number.isSafeInteger(value) && value >= 0
    ? undefined
    : `must be an integer from 0 to 2^53 - 1, not ${value}`;
};

export function toKind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function typesOf({ type }: SchemaObject): readonly string[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

function createCheckOf(type: string, schema: SchemaObject): FieldCheck {
  if (type === "integer") return checkInteger;
  if (type === "boolean")
    return (value) =>
      typeof value === "boolean" ? undefined : `must be true or false, not ${toKind(value)}`;
  if (type === "array") return checkTexts;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (minLength === 0 && maxLength === Number.POSITIVE_INFINITY) return checkText;
  return (value) => checkText(value) ?? findLengthFault(String(value), { minLength, maxLength });
}

// JSON Schema counts characters, JavaScript counts UTF-16 code units, of which there are never fewer.
function findLengthFault(
  text: string,
  { minLength, maxLength }: { minLength: number; maxLength: number },
): string | undefined {
  if (text.length < minLength) return "must not be empty";
  if (text.length <= maxLength) return undefined;
  let length = 0;
  for (const _ of text) length += 1;
  return length <= maxLength
    ? undefined
    : `must have at most ${maxLength} characters, not ${length}`;
}

const checkTexts: FieldCheck = (value) => {
  if (!Array.isArray(value)) return `must be an array of strings, not ${toKind(value)}`;
  for (const [index, item] of value.entries()) {
    const fault = checkText(item);
    if (fault !== undefined) return `item ${index + 1} ${fault}`;
  }
  return undefined;
};

function toNullable(fault: string | undefined): string | undefined {
  return fault?.replace(/^must be (\S+ \S+),/, "must be $1 or null,");
}
