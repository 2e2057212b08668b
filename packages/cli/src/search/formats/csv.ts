// Records as CSV (RFC 4180) that a spreadsheet opens without running what somebody wrote into a field.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { stringify } from "csv-stringify/sync";
import type { FormatOptions, RecordFormat } from "./record-format.ts";

const OPTIONS = {
  escape_formulas: true,
  record_delimiter: "windows",
  quoted_match: /[\r\n]/, // a half of the delimiter ends a row to whoever reads it
  cast: { boolean: String }, // else false would look like nothing
} as const;

/** Columns in the order of the interface. A value that begins like a formula gets an apostrophe before it. */
export function createCsv({
  columns,
  showDatetime,
}: Pick<FormatOptions, "columns" | "showDatetime">): RecordFormat {
  const fields = columns ?? fieldsOf("MetadataRecord");
  const toValue = (record: CallRecord, field: (typeof fields)[number]) =>
    field === "datetime" && record.datetime ? showDatetime(record.datetime) : record[field];
  const toLines = (rows: readonly (readonly unknown[])[]) => stringify([...rows], OPTIONS);
  return {
    begin: () => toLines([fields]),
    add: (records) =>
      toLines(records.map((record) => fields.map((field) => toValue(record, field)))),
    end: () => "",
  };
}
