// The fields of a user as an operator writes them, name=value, checked against the contract's schemas.
import { document, fieldsOf, recordRights, type SchemaObject } from "@call-media/api";
import { type FilterField, USER_STATUS, type UserRecord } from "@call-media/store";
import { createFieldCheck, parseDatetime } from "@call-media/store/values";
import { UsageError } from "@call-media/terminal";

const SCHEMAS = ["UserBasicRecord", "UserAddressRecord", "UserSecurityRecord"] as const;

/** All fields, in the contract's order. */
export const USER_FIELDS: readonly string[] = [
  ...new Set(SCHEMAS.flatMap((name) => fieldsOf(name))),
];

/**
 * An active user without rights, with every field of the contract empty as its type allows. Throws `UsageError` for an invalid
 * name.
 */
export function createUser(name: string, id: number): UserRecord {
  const fields = new Map(eachField());
  const username = parseText("username", name, fields.get("username") ?? {});
  const empty = Object.fromEntries([...fields].map(([field, schema]) => [field, toEmpty(schema)]));
  return {
    ...(empty as UserRecord),
    id,
    username,
    status: USER_STATUS.active,
    created_date: toTimestamp(),
  }; // every field was just set
}

function* eachField(): Generator<[string, SchemaObject]> {
  for (const name of SCHEMAS)
    yield* Object.entries(document.components.schemas[name]?.properties ?? {});
}

function toTypes({ type }: SchemaObject): readonly (string | undefined)[] {
  return typeof type === "object" ? type : [type];
}

function toEmpty(schema: SchemaObject): unknown {
  const types = toTypes(schema);
  if (types.includes("null") || types.includes(undefined)) return null;
  const empty: Readonly<Record<string, unknown>> = {
    string: "",
    boolean: false,
    array: [],
    integer: 0,
  };
  return empty[types[0] ?? ""];
}

/**
 * The record with these `name=value` pairs applied. A name that ends in `*` means every field with this prefix. Throws
 * `UsageError` naming the field and the fault.
 */
export function applyFields(record: UserRecord, fields: readonly string[]): UserRecord {
  const schemas = new Map(eachField());
  schemas.delete("id");
  const changes = fields.flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    if (value.length === 0) throw new UsageError(`"${pair}" is not written name=value`);
    const named = [...schemas].filter(([field]) => isNamed(field, name));
    if (named.length === 0)
      throw new UsageError(`a user has no field "${name}" to set: --help lists them`);
    return named.map(([field, schema]) => [field, parseValue(field, value.join("="), schema)]);
  });
  return { ...record, ...Object.fromEntries(changes) };
}

const isNamed = (field: string, name: string) =>
  name.endsWith("*") ? field.startsWith(name.slice(0, -1)) : field === name;

/** The kinds of values that hide all calls because the user may see none of them (D21); empty for a user who may see some of each. */
export function listUnseen(user: UserRecord): string[] {
  return recordRights
    .filter(({ allowAll, allowed }) => !user[allowAll] && user[allowed].length === 0)
    .map(({ allowAll }) => allowAll.replace("allow_all_", ""));
}

function parseValue(name: string, text: string, schema: SchemaObject): unknown {
  const types = toTypes(schema);
  if (text === "" && (types.includes("null") || types.includes(undefined))) return null;
  if (types.includes("array")) return text === "" ? [] : parseList(name, text);
  if (types.includes("boolean")) return parseBoolean(name, text);
  if (types.includes("integer")) return parseInteger(name, text, schema);
  if (schema.format === "date-time" && !isTimestamp(text))
    throw new UsageError(`${name} must be a date and time with an offset, not "${text}"`);
  return parseText(name, text, schema);
}

/** Checked as in an import (D29); stricter for a username. */
function parseText(name: string, text: string, schema: SchemaObject): string {
  // Spaces around a name are invisible in lists, and a proxy cannot send them in the header that names the user.
  if (name === "username" && text !== text.trim())
    throw new UsageError(`username has blanks around it: write "${text.trim()}"`);
  const fault = createFieldCheck(schema)(text);
  if (fault !== undefined) throw new UsageError(`${name} ${fault}`);
  return text;
}

// An empty value would make calls visible in which the field is empty. An extra comma is not meant that way.
function parseList(name: string, text: string): readonly string[] {
  const isJson = text.trimStart().startsWith("[");
  const values = isJson ? parseJsonList(name, text) : text.split(",").map((value) => value.trim());
  if (!values.includes("")) return values;
  throw new UsageError(`${name} has an empty value: "${text}"`);
}

function parseJsonList(name: string, text: string): readonly string[] {
  const fault = new UsageError(
    `${name} must be values with commas between, or a JSON list of texts such as '["A","B"]', not "${text}"`,
  );
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw fault;
  }
  if (!Array.isArray(list) || !list.every((value) => typeof value === "string")) throw fault;
  return list.map((value) => parseText(name, value, { type: "string" }));
}

/** The rights to records that these `name=value` pairs set, each with the user's resulting values. */
export function listGiven(
  record: UserRecord,
  fields: readonly string[],
): { readonly field: FilterField; readonly value: string; readonly right: string }[] {
  const names = new Set(fields.map((pair) => pair.split("=")[0]));
  return recordRights
    .filter(({ allowed }) => names.has(allowed))
    .flatMap(({ allowed, field }) =>
      record[allowed].map((value) => ({ field, value, right: allowed })),
    );
}

function parseBoolean(name: string, text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new UsageError(`${name} must be true or false, not "${text}"`);
}

function parseInteger(
  name: string,
  text: string,
  { minimum = 0, maximum = 0 }: SchemaObject,
): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(`${name} must be an integer from ${minimum} to ${maximum}, not "${text}"`);
}

function isTimestamp(text: string): boolean {
  const parsed = parseDatetime(text, "UTC");
  return typeof parsed === "object" && parsed.hasOffset;
}

/** The current time in the contract's format. */
export function toTimestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, "+00:00");
}
