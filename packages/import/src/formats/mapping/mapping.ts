// A mapping: which column of a table, or member of a JSON record, becomes which field. It is checked key by key before a row
// is read, because a wrong mapping spoils every row in the same way.
import { readFile } from "node:fs/promises";
import { document } from "@call-media/api";
import { parseDatetime, toKind } from "@call-media/store/values";
import { isObject, parseJson } from "../../json.ts";
import { findDuplicateKey } from "../../duplicate-key.ts";
import { ImportError } from "../../import-error.ts";
import type { ReadOptions } from "../format.ts";
import { toSystemFault } from "../../source-files.ts";
import {
  CONVERSIONS,
  type Conversion,
  createConversion,
  isConversion,
  isUnit,
  UNIT_NAMES,
} from "./conversion.ts";
import { parseTemplate, type KeyedTemplate } from "./template.ts";

export interface Mapping {
  readonly kind: "call" | "chat";
  /** One character, of a table. */
  readonly delimiter: string | undefined;
  /** Names of the columns of a table that has no header. */
  readonly columns: readonly string[] | undefined;
  /** Where the records of a JSON document lie. */
  readonly records: string | undefined;
  /** Texts that stand for no value. */
  readonly nulls: ReadonlySet<string>;
  readonly fields: readonly FieldRule[];
  /** Paths of recordings in the media folder. */
  readonly media: readonly KeyedTemplate[];
  /** Templates that tell records of one call_id apart (D32); empty: the default fields do. */
  readonly identity: readonly KeyedTemplate[];
  /** Names that not every file has. */
  readonly optional: ReadonlySet<string>;
}

export interface FieldRule {
  readonly field: string;
  /** The first that gives a value is taken. */
  readonly from: readonly KeyedTemplate[];
  readonly convert: Conversion;
  /** Of a datetime: iso, unix, unix-ms or a pattern. */
  readonly format: string | undefined;
  /** The time zone of a datetime without an offset. */
  readonly zone: KeyedTemplate | undefined;
}

const KEYS = [
  "kind",
  "delimiter",
  "columns",
  "records",
  "nulls",
  "fields",
  "media",
  "identity",
  "optional",
];
const FIELD_KEYS = ["from", "as", "format", "epoch", "unit", "values", "zone"];
const SCHEMAS = { call: "MetadataRecord", chat: "ChatMessageRecord" } as const;
// Fields of a call entry that are not fields of the record.
const BESIDES = ["session_id", "master_id", "revised"];
const DATETIMES = new Set(["datetime", "revised"]);

/** The mapping that adds to what a format gives by itself, if one is asked for. Throws `ImportError`. */
export async function readAddition({
  mappingFile,
  timeZone,
}: ReadOptions): Promise<Mapping | undefined> {
  if (mappingFile === undefined) return undefined;
  const mapping = await readMapping(mappingFile, timeZone);
  const spare = (["delimiter", "columns", "records"] as const).find(
    (key) => mapping[key] !== undefined,
  );
  if (mapping.kind === "call" && spare === undefined) return mapping;
  throw new ImportError(
    `the mapping ${mappingFile}: ${spare ?? "kind"}: the format gives it, the mapping can only add fields of calls`,
  );
}

/** Throws `ImportError`, naming the file and the key; `timeZone` is what an epoch without an offset is read in. */
export async function readMapping(path: string, timeZone: string): Promise<Mapping> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new ImportError(`${path} ${toSystemFault(error)}`, { cause: error });
  });
  try {
    const json = text.replace(/^\ufeff/, "");
    const parsed = parseJson(json);
    if ("fault" in parsed) throw new ImportError(parsed.fault);
    const doubled = findDuplicateKey(json, parsed.value);
    if (doubled !== undefined) throw new ImportError(doubled);
    return parseMapping(parsed.value, timeZone);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new ImportError(`the mapping ${path}: ${error.message}`, { cause: error });
  }
}

/** Throws `ImportError`, naming the key. */
export function parseMapping(value: unknown, timeZone: string): Mapping {
  const given = toObject("the mapping", value, KEYS);
  const { kind, delimiter, columns, records, nulls = [""], media = [], identity } = given;
  const { optional = [] } = given;
  if (kind !== "call" && kind !== "chat") fail('kind: must be "call" or "chat"');
  if (delimiter !== undefined && !(typeof delimiter === "string" && /^[^"\r\n]$/.test(delimiter)))
    fail("delimiter: must be one character, and no quote");
  if (records !== undefined && typeof records !== "string")
    fail(`records: must be a path such as "calls.*", not ${toKind(records)}`);
  if (kind === "chat" && given["media"] !== undefined)
    fail("media: a chat message has no recordings");
  if (kind === "chat" && identity !== undefined)
    fail("identity: a chat message is told by all of its fields");
  if (Array.isArray(identity) && identity.length === 0)
    fail("identity: is empty: name what tells records of one call_id apart, or leave it out");
  const mapping: Mapping = {
    kind,
    delimiter,
    columns: columns === undefined ? undefined : toTexts("columns", columns),
    records,
    nulls: new Set(toTexts("nulls", nulls)),
    fields: parseFields(kind, given["fields"], timeZone),
    media: toTemplates("media", media),
    identity: identity === undefined ? [] : toTemplates("identity", identity),
    optional: new Set(toTexts("optional", optional)),
  };
  const names = listNames(mapping);
  const spare = [...mapping.optional].find((name) => !names.has(name));
  if (spare !== undefined) fail(`optional: {${spare}} stands in no template of the mapping`);
  return mapping;
}

/** All names in its templates. */
export function listNames({
  fields,
  media,
  identity,
}: Pick<Mapping, "fields" | "media" | "identity">) {
  const ofFields = fields.flatMap(({ from, zone }) => [...from, ...(zone ? [zone] : [])]);
  const parts = [...ofFields, ...media, ...identity].flatMap(({ template }) => template);
  return new Set(parts.filter(({ isName }) => isName).map(({ text }) => text));
}

function parseFields(kind: keyof typeof SCHEMAS, value: unknown, timeZone: string): FieldRule[] {
  const schemas = document.components.schemas[SCHEMAS[kind]]?.properties ?? {};
  const known = [...Object.keys(schemas), ...(kind === "call" ? BESIDES : [])];
  const fields = toObject("fields", value, known);
  if (Object.keys(fields).length === 0) fail("fields: must name at least one field");
  for (const [field, { type }] of Object.entries(schemas)) {
    const isRequired = kind === "chat" && type === "string";
    if (isRequired && !Object.hasOwn(fields, field))
      fail(`fields.${field}: missing, a chat message must have it`);
  }
  return Object.entries(fields).map(([field, rule]) => {
    const isInteger = [schemas[field]?.type].flat().includes("integer");
    return parseField(field, rule, { isInteger, timeZone });
  });
}

function parseField(
  field: string,
  value: unknown,
  { isInteger, timeZone }: { isInteger: boolean; timeZone: string },
): FieldRule {
  const key = `fields.${field}`;
  const isBare = typeof value === "string" || Array.isArray(value);
  const given = isBare ? { from: value } : toObject(key, value, FIELD_KEYS);
  const { unit, values, zone } = given;
  const ofInteger = unit === undefined ? "integer" : "duration";
  const usual = isInteger ? ofInteger : DATETIMES.has(field) ? "datetime" : "text";
  const { from, as = usual, format } = given;
  const templates = Array.isArray(from) ? from : [from];
  if (templates.length === 0 || !isTexts(templates))
    fail(
      `${key}.from: must be a template such as "{Column}" or a list of them, not ${toKind(from)}`,
    );
  if (!isConversion(as)) fail(`${key}.as: must be one of ${CONVERSIONS.join(", ")}`);
  if (isInteger && as !== "integer" && as !== "duration")
    fail(`${key}.as: must be integer or duration for this field`);
  if (format !== undefined && (typeof format !== "string" || as !== "datetime")) {
    fail(`${key}.format: must be iso, unix, unix-ms or a pattern, and "as" must be datetime`);
  }
  if (unit !== undefined && !(as === "duration" && isUnit(unit)))
    fail(`${key}.unit: must be one of ${UNIT_NAMES.join(", ")}, and "as" must be duration`);
  if (zone !== undefined && !(as === "datetime" && typeof zone === "string"))
    fail(`${key}.zone: must be a template such as "{Time zone}", and "as" must be datetime`);
  const convert = createConversion(`${key}.format`, {
    as,
    format,
    unit: isUnit(unit) ? unit : undefined,
    hasZone: zone !== undefined,
    epochMs: parseEpoch(key, given, timeZone),
  });
  return {
    field,
    from: templates.map((text) => parseTemplate(key, text)),
    convert: withValues(parseValues(key, values), isInteger ? convert : asText(convert)),
    format,
    zone: typeof zone === "string" ? parseTemplate(`${key}.zone`, zone) : undefined,
  };
}

function parseValues(key: string, values: unknown): ReadonlyMap<string, string> {
  if (values === undefined) return new Map();
  if (!isObject(values)) fail(`${key}.values: must be an object, not ${toKind(values)}`);
  const pairs = Object.entries(values).map(([from, to]): [string, string] => {
    if (typeof to !== "string") fail(`${key}.values: must give texts, not ${toKind(to)}`);
    return [from, to];
  });
  return new Map(pairs);
}

/** Texts that are in the table are replaced before they are converted. */
function withValues(values: ReadonlyMap<string, string>, convert: Conversion): Conversion {
  return values.size === 0 ? convert : (text) => convert(values.get(text) ?? text);
}

// A number that goes into a text field is its digits.
function asText(convert: Conversion): Conversion {
  return (text) => {
    const converted = convert(text);
    return "value" in converted ? { value: String(converted.value) } : converted;
  };
}

function parseEpoch(
  key: string,
  { epoch, format }: Record<string, unknown>,
  timeZone: string,
): number | undefined {
  if (epoch === undefined) return undefined;
  if (format !== "unix" && format !== "unix-ms")
    fail(`${key}.epoch: goes with the format unix or unix-ms alone`);
  if (typeof epoch !== "string") fail(`${key}.epoch: must be a string, not ${toKind(epoch)}`);
  const parsed = parseDatetime(epoch, timeZone);
  if (typeof parsed === "string") fail(`${key}.epoch: ${parsed}`);
  return parsed.instantMs;
}

function toObject(key: string, value: unknown, keys: readonly string[]): Record<string, unknown> {
  if (!isObject(value)) fail(`${key}: must be an object, not ${toKind(value)}`);
  const unknown = Object.keys(value).find((name) => !keys.includes(name));
  if (unknown !== undefined)
    fail(`${key}: "${unknown}" is not a key; known are ${keys.join(", ")}`);
  return value;
}

function toTemplates(key: string, value: unknown): readonly KeyedTemplate[] {
  return toTexts(key, value).map((text, index) => parseTemplate(`${key}[${index}]`, text));
}

function toTexts(key: string, value: unknown): readonly string[] {
  if (!Array.isArray(value) || !isTexts(value)) fail(`${key}: must be an array of strings`);
  return value;
}

function isTexts(list: readonly unknown[]): list is readonly string[] {
  return list.every((item) => typeof item === "string");
}

function fail(message: string): never {
  throw new ImportError(message);
}
