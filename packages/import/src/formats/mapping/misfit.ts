// Where in a file the rows of a mapping are, and whether it is one that the mapping reads.
import { type Head, pick, withoutLines } from "../../head.ts";
import { ImportError } from "../../import-error.ts";
import { isObject } from "../../json.ts";
import { readFirstRecord, splitLine } from "../table.ts";
import { bindMapping } from "./bind-mapping.ts";
import { listNamesOf, type Mapping } from "./mapping.ts";
import { findInColumns, findInRecord } from "./names.ts";

/** Says which column or member of the mapping the file lacks; undefined if it fits. */
export function findMisfit(head: Head, mapping: Mapping): string | undefined {
  if (head.json !== undefined) return findMissingMembers(head, mapping);
  const columns =
    mapping.columns ??
    readFirstRecord(withoutLines(head, mapping.skip)).values.map((name) => name.trim());
  return findMissingColumn(columns, mapping);
}

/** The columns of a table that the mapping reads; none where its first line is not all of the header. */
export function readHeader(given: Head, { columns, delimiter, skip }: Mapping): readonly string[] {
  if (columns !== undefined) return columns;
  const head = withoutLines(given, skip);
  const said = delimiter ?? readFirstRecord(head).delimiter;
  return splitLine(head.firstLine, said).map((name) => name.trim());
}

/** Says which column of the mapping is not among these; undefined if it has all. */
export function findMissingColumn(
  columns: readonly string[],
  mapping: Mapping,
): string | undefined {
  try {
    bindMapping(mapping, findInColumns(columns, mapping), { timeZone: "UTC" });
    return undefined;
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}

function findMissingMembers(head: Head, mapping: Mapping): string | undefined {
  const record = pick(head.json, toRecordPath(head, mapping));
  const find = findInRecord(mapping.nulls);
  const names = mapping.fields
    .flatMap(({ rules }) => rules.flatMap(listNamesOf))
    .map(({ name, key }) => ({ text: name, read: find(name, key) }));
  if (isObject(record) && names.some(({ read }) => read(record) !== undefined)) return undefined;
  return `its first record has none of ${names.map(({ text }) => text).join(", ")}`;
}

/** The path of the records: the first of the mapping that leads to some in this file. */
export function toRecordPath({ json: value }: Head, { records }: Mapping): string {
  const found = records?.find((path) => isObject(pick(value, path)));
  return found ?? records?.[0] ?? (Array.isArray(value) ? "*" : "");
}
