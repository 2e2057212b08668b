// Compares a value with a schema of the contract. Supports the keywords that the contract uses, which a test ensures.
import type { SchemaObject } from "@call-media/api";

import { isDay } from "./time-zones.ts";
import { isObject } from "./values.ts";

/** One difference. It quotes the contract and never the value, which may be personal data. */
export interface Fault {
  /** The place, as a JSON Pointer (RFC 6901), for example `/data/0/handle_time`. */
  readonly pointer: string;
  /** Rule of the contract, for example `an integer or null`. */
  readonly expected: string;
  /** The value received, for example `a string`. */
  readonly received: string;
}

/** Schemas by the names that a `$ref` has. */
export type Schemas = Readonly<Record<string, SchemaObject>>;

/** All differences of `value`, in its order. Values inside one of the wrong type are not checked. */
export function findFaults(schema: SchemaObject, value: unknown, schemas: Schemas = {}): Fault[] {
  const faults: Fault[] = [];
  const walk: Walk = (any, inner, pointer) => {
    const target = any.$ref === undefined ? any : schemas[any.$ref];
    // The table is generated with everything it refers to.
    if (target === undefined) throw new Error(`The contract has no ${any.$ref}`);
    const type = toExpectedType(target, inner);
    const expected = type ?? toExpectedValue(target, inner);
    if (expected !== undefined) {
      const came = typeOf(inner);
      const received = type === undefined ? `another ${came}` : withArticle(came);
      faults.push({ pointer, expected, received });
    } else if (Array.isArray(inner)) walkItems(target, { items: inner, pointer, walk });
    else if (isObject(inner)) faults.push(...walkFields(target, { fields: inner, pointer, walk }));
  };
  walk(schema, value, "");
  return faults;
}

type Walk = (schema: SchemaObject, value: unknown, pointer: string) => void;

interface Items {
  readonly items: readonly unknown[];
  readonly pointer: string;
  readonly walk: Walk;
}

function walkItems({ items: schema }: SchemaObject, { items, pointer, walk }: Items): void {
  if (schema)
    for (const [index, item] of items.entries()) walk(schema, item, `${pointer}/${index}`);
}

interface Fields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly pointer: string;
  readonly walk: Walk;
}

/** Checks the fields, and returns those that are missing or not allowed. */
function walkFields(schema: SchemaObject, { fields, pointer, walk }: Fields): Fault[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const unknown: Fault[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const at = `${pointer}/${name.includes("~") || name.includes("/") ? escape(name) : name}`;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) walk(property, value, at);
    else if (additionalProperties === false)
      unknown.push({ pointer: at, expected: "nothing", received: withArticle(typeOf(value)) });
  }
  const missing = required.filter((name) => !Object.hasOwn(fields, name));
  const absent = { expected: "a value", received: "nothing" };
  return [...missing.map((name) => ({ pointer: `${pointer}/${name}`, ...absent })), ...unknown];
}

// RFC 6901, section 3.
const escape = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function toExpectedType({ type, minimum, maximum }: SchemaObject, value: unknown) {
  if (type === undefined) return undefined;
  const types = typeof type === "string" ? [type] : type;
  if (types.some((one) => isOfType(value, one))) return undefined;
  const hasBounds = minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER;
  return types
    .map((one) => (one === "integer" && hasBounds ? toBounds(minimum, maximum) : withArticle(one)))
    .join(" or ");
}

function toExpectedValue(schema: SchemaObject, value: unknown): string | undefined {
  if (schema.const !== undefined && value !== schema.const) return JSON.stringify(schema.const);
  if (schema.enum && !schema.enum.includes(value)) return `one of ${schema.enum.join(", ")}`;
  if (typeof value === "string") return toExpectedText(schema, value);
  const {
    minimum = -Infinity,
    maximum = Infinity,
    maxItems = Infinity,
    minProperties = 0,
  } = schema;
  if (typeof value === "number" && (value < minimum || value > maximum))
    return toBounds(minimum, maximum);
  if (Array.isArray(value))
    return value.length > maxItems ? `at most ${maxItems} items` : undefined;
  if (isObject(value) && Object.keys(value).length < minProperties)
    return `at least ${minProperties} field`;
  return undefined;
}

function toExpectedText(schema: SchemaObject, text: string): string | undefined {
  const { format, pattern, minLength = 0, maxLength = Infinity } = schema;
  // RFC 8259 counts characters, JavaScript counts UTF-16 units.
  const characters =
    text.length < minLength || text.length > maxLength ? Array.from(text).length : 0;
  if (text.length < minLength) return "text that is not empty";
  if (characters > maxLength) return `text of at most ${maxLength} characters`;
  if (format === "date" && !isDay(text)) return "a calendar day written YYYY-MM-DD";
  if (format === "date-time" && !isTimestamp(text)) return "an ISO 8601 timestamp with an offset";
  if (pattern && !toRegExp(pattern).test(text)) return `text like ${pattern}`;
  return undefined;
}

// Compiling takes longer than the rest of a check, and the contract has only a few patterns.
const compiled = new Map<string, RegExp>();

function toRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern) ?? new RegExp(pattern, "u");
  compiled.set(pattern, known);
  return known;
}

const toBounds = (minimum?: number, maximum?: number) => `an integer from ${minimum} to ${maximum}`;

// RFC 3339, 5.6, which JSON Schema requires for `date-time`.
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/;

function isTimestamp(text: string): boolean {
  const day = TIMESTAMP.exec(text)?.[1];
  return day !== undefined && isDay(day) && !Number.isNaN(Date.parse(text.replace(" ", "T")));
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "null" ? value === null : typeof value === type;
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
