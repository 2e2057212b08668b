// Describes schema violations: the field as a reader would write it, the expected value, and the value received.
import type { ErrorObject } from "ajv/dist/2020.js";
import type { PlacedFault } from "../fingerprint.ts";
import { isObject, type JsonObject } from "@call-media/contract-diff";

interface Broken {
  /** What the keyword demands, from Ajv's `params`. */
  readonly asked: JsonObject;
  readonly came: unknown;
  /** The schema of the field. */
  readonly schema: JsonObject;
  /** Names of patterns. */
  readonly forms: ReadonlyMap<string, string>;
}

const bound = (side: string, unit?: string) => (broken: Broken) => {
  const limit = Number(broken.asked["limit"]);
  const units = unit === undefined ? "" : ` ${unit}${limit === 1 ? "" : "s"}`;
  return `expected ${side} ${limit}${units}, got ${toText(broken.came)}`;
};

const WORDS: Readonly<Record<string, (broken: Broken) => string>> = {
  required: () => "missing",
  unevaluatedProperties: () => "not documented",
  type: ({ asked, came }) => `expected ${toTypes(asked["type"])}, got ${toType(came, asked)}`,
  const: ({ asked, came }) => `expected ${toText(asked["allowedValue"])}, got ${toText(came)}`,
  enum: ({ asked, came }) => `expected ${toChoice(asked["allowedValues"])}, got ${toText(came)}`,
  pattern: ({ schema, forms, came }) => `expected ${toForm(schema, forms)}, got ${toText(came)}`,
  format: ({ schema, forms, came }) => `expected ${toForm(schema, forms)}, got ${toText(came)}`,
  minimum: bound("at least"),
  maximum: bound("at most"),
  minLength: bound("at least", "character"),
  maxLength: bound("at most", "character"),
  minItems: bound("at least", "item"),
  maxItems: bound("at most", "item"),
};

/** For example `data[0].user_id: expected integer, got string`, placed at the wrong or missing field. */
export function toBodyFault(
  { instancePath, keyword, ...error }: ErrorObject,
  forms: ReadonlyMap<string, string> = new Map(),
): PlacedFault {
  const asked: JsonObject = error.params;
  const name = asked["missingProperty"] ?? asked["unevaluatedProperty"];
  const at = typeof name === "string" ? `${instancePath}/${name}` : instancePath;
  const schema = isObject(error.parentSchema) ? error.parentSchema : {};
  const words = WORDS[keyword]?.({ asked, came: error.data, schema, forms }) ?? `breaks ${keyword}`;
  return { at, fault: `${toFieldName(at)}: ${words}` };
}

function toFieldName(pointer: string): string {
  const name = pointer.replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".");
  return name === "" ? "the body" : name.replace(/^\./, "");
}

function toTypes(types: unknown): string {
  return [types].flat().map(String).join(" or ");
}

/** A non-integer number is described by its value. */
function toType(value: unknown, { type }: JsonObject): string {
  if (typeof value === "number" && [type].flat().includes("integer")) return String(value);
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function toChoice(values: unknown): string {
  return Array.isArray(values) ? values.map(toText).join(" or ") : toText(values);
}

// The length describes a longer text well enough, and half a token must not be shown.
const SHOWN_CHARACTERS = 40;

function toText(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} items`;
  if (isObject(value)) return "object";
  const isLong = typeof value === "string" && value.length > SHOWN_CHARACTERS;
  return isLong ? `text of ${value.length} characters` : JSON.stringify(value);
}

function toForm(
  { format, contentEncoding, pattern }: JsonObject,
  forms: ReadonlyMap<string, string>,
): string {
  const name = typeof pattern === "string" ? forms.get(pattern) : undefined;
  if (name !== undefined) return name;
  if (format === "date-time") return "a timestamp with an offset (RFC 3339)";
  if (typeof contentEncoding === "string") return contentEncoding;
  return typeof pattern === "string" ? `text like ${pattern}` : `the format ${toText(format)}`;
}
