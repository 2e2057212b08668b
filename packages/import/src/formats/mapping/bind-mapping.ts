// Applies a mapping: turns records of a file into entries of the archive's own format.
import { isTimeZone, parseDatetime, withOffset } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { ImportError } from "../../import-error.ts";
import { isLink, toLinkName } from "../../link.ts";
import { RowFault } from "../../source-row.ts";
import { toColumnList, toValue } from "../columns.ts";
import type { Entry } from "../format.ts";
import { toDigits, toJson } from "../big-integers.ts";
import { type Head, pick } from "../../head.ts";
import { readFirstRecord, splitLine } from "../table.ts";
import type { FieldRule, Mapping } from "./mapping.ts";
import { bindTemplate, type Find, type Template } from "./template.ts";

/** The entry of a record; throws `RowFault`, naming the field, for a value that cannot be converted. */
export type ToEntry<R> = (record: R) => Entry;

/**
 * Binds a mapping that is the whole source. If it does not mention recordings, a call that is imported again keeps its own.
 * Throws `ImportError`, naming the key in the mapping, for a name that `find` does not know.
 */
export function bindWhole<R>(mapping: Mapping, find: Find<R>): ToEntry<R> {
  const toEntry = bindMapping(mapping, find);
  const { kind, media, fields, identity } = mapping;
  if (identity.length > 0 && !fields.some(({ field }) => field === "call_id"))
    throw new ImportError(
      "identity: it tells records of one call_id apart, and fields has no call_id",
    );
  const isSilent = media.length === 0 && !fields.some(({ field }) => field === "recordings");
  if (kind !== "call" || !isSilent) return toEntry;
  return (record) => ({ ...toEntry(record), keeps_recordings: true });
}

/** Binds a mapping that adds to a format; throws like `bindWhole`. */
export function bindMapping<R>(mapping: Mapping, find: Find<R>): ToEntry<R> {
  const { kind } = mapping;
  const fields = mapping.fields.map((rule) => bindField(rule, toName(mapping, rule), find));
  const files = mapping.media.map((template) => bindTemplate(template, find));
  const identity = mapping.identity.map((template) => bindTemplate(template, find));

  return (record) => {
    const entry: Entry = { kind };
    for (const set of fields) set(entry, record);
    const named = files.map((toText) => toText(record)).filter((file) => file !== undefined);
    if (named.length > 0) entry["media"] = named.map((file) => ({ file }));
    const told = identity.map((toText) => toText(record) ?? null);
    if (told.some((value) => value !== null)) entry["identity"] = told;
    return entry;
  };
}

/** How a name is found in a row of a table: a column of exactly that name. */
export function findInColumns(
  columns: readonly string[],
  { nulls, optional }: Pick<Mapping, "nulls" | "optional">,
): Find<readonly string[]> {
  const forms = columns.map((column) => column.normalize());
  return (name, key) => {
    const index = forms.indexOf(name.normalize());
    if (forms.includes(name.normalize(), index + 1) && index !== -1)
      throw new ImportError(`${key}: the file has several columns "${name}"`);
    if (index === -1 && optional.has(name)) return () => undefined;
    if (index === -1)
      throw new ImportError(`${toMissingText({ key, name })}; it has ${toColumnsText(columns)}`);
    return (values) => toValue(values[index], nulls);
  };
}

/** A name of a mapping that is no column of a file. */
export interface MissingColumn {
  readonly key: string;
  readonly name: string;
}

export function listMissingColumns(
  columns: readonly string[],
  mapping: Mapping,
): readonly MissingColumn[] {
  const forms = new Set(columns.map((column) => column.normalize()));
  const missing = new Map<string, MissingColumn>();
  bindMapping(mapping, (name, key) => {
    if (!forms.has(name.normalize()) && !mapping.optional.has(name))
      missing.set(name, { key, name });
    return () => undefined;
  });
  return [...missing.values()];
}

export const toMissingText = ({ key, name }: MissingColumn) =>
  `${key}: the file has no column "${name}"`;

/** The columns of a file, for messages. */
export const toColumnsText = (columns: readonly string[]) =>
  `${toColumnList(columns)}${toDelimiterHint(columns)}`;

// Spreadsheets write semicolons where the decimal sign is a comma.
function toDelimiterHint([only = "", ...others]: readonly string[]): string {
  const [delimiter] = /[;\t|]/.exec(only) ?? [];
  if (delimiter === undefined || others.length > 0) return "";
  return `: if its columns are parted otherwise, the mapping says so, "delimiter": ${JSON.stringify(delimiter)}`;
}

/** How a name is found in a JSON record: a path such as `participants[0].ani`. Other values than text are written as JSON. */
export function findInRecord(nulls: ReadonlySet<string>): Find<Readonly<Record<string, unknown>>> {
  return (name, key) => {
    const steps = toSteps(name);
    if (steps.length === 0) throw new ImportError(`${key}: "{${name}}" names no member`);
    return (record) => {
      let value: unknown = record;
      for (const step of steps) value = readMember(value, step);
      if (value === undefined || value === null) return undefined;
      const text = typeof value === "string" ? value : toMemberText(name, value);
      return toValue(text, nulls);
    };
  };
}

/** The keys and indexes of a path such as `participants[0].ani`. */
export const toSteps = (path: string): readonly string[] =>
  path.split(/[.[\]]+/).filter((step) => step !== "");

function toMemberText(name: string, value: unknown): string {
  if (typeof value === "number") return toDigits(name, value);
  return typeof value === "object" && value !== null ? toJson(name, value) : String(value);
}

export function readMember(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

// `media` of an entry is the list of recordings.
function toName({ kind }: Mapping, { field }: FieldRule): string {
  return kind === "call" && field === "media" ? "media_field" : field;
}

function bindField<R>({ field, from, convert, zone }: FieldRule, name: string, find: Find<R>) {
  const templates: readonly Template<R>[] = from.map((template) => bindTemplate(template, find));
  const toZone = zone && bindTemplate(zone, find);
  return (entry: Entry, record: R): void => {
    let text: string | undefined;
    for (const toText of templates) {
      text = toText(record);
      if (text !== undefined) break;
    }
    if (text === undefined) return;
    const converted = convert(name === "recordings" && isLink(text) ? toLinkName(text) : text);
    if ("fault" in converted) throw new RowFault(`${field}: ${converted.fault}`);
    const timeZone = toZone?.(record);
    entry[name] =
      timeZone === undefined ? converted.value : toZoned(field, String(converted.value), timeZone);
  };
}

/** With the offset of the zone, where the text has none. Throws `RowFault`. */
function toZoned(field: string, text: string, timeZone: string): string {
  if (!isTimeZone(timeZone)) throw new RowFault(`${field}: "${timeZone}" is not a time zone`);
  const parsed = parseDatetime(text, timeZone);
  if (typeof parsed === "string") throw new RowFault(`${field}: ${parsed}`);
  return parsed.hasOffset ? text : withOffset(text, parsed.instantMs);
}

/** Says which column or member of the mapping the file lacks; undefined if it fits. */
export function findMisfit(head: Head, mapping: Mapping): string | undefined {
  if (head.json !== undefined) return findMissingMembers(head, mapping);
  const columns = mapping.columns ?? readFirstRecord(head).values.map((name) => name.trim());
  return findMissingColumn(columns, mapping);
}

/** The columns of a table that the mapping reads; none where its first line is not all of the header. */
export function readHeader({ firstLine }: Head, { columns, delimiter = "," }: Mapping) {
  return columns ?? splitLine(firstLine, delimiter).map((name) => name.trim());
}

/** Says which column of the mapping is not among these; undefined if it has all. */
export function findMissingColumn(
  columns: readonly string[],
  mapping: Mapping,
): string | undefined {
  try {
    bindMapping(mapping, findInColumns(columns, mapping));
    return undefined;
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}

function findMissingMembers({ json }: Head, mapping: Mapping): string | undefined {
  const record = pick(json, mapping.records ?? (Array.isArray(json) ? "*" : ""));
  const find = findInRecord(mapping.nulls);
  const names = mapping.fields.flatMap(({ from }) =>
    from.flatMap(({ key, template }) =>
      template.filter(({ isName }) => isName).map(({ text }) => ({ text, read: find(text, key) })),
    ),
  );
  if (isObject(record) && names.some(({ read }) => read(record) !== undefined)) return undefined;
  return `its first record has none of ${names.map(({ text }) => text).join(", ")}`;
}
