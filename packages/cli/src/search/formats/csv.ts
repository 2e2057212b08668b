// Records as CSV (RFC 4180) that a spreadsheet opens without evaluating formulas in a field.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { stringify } from "csv-stringify/sync";
import type { FormatOptions, RecordFormat } from "./record-format.ts";

const OPTIONS = {
  escape_formulas: true,
  record_delimiter: "windows",
  quoted_match: /[\r\n]/, // half of the delimiter already ends a row for some readers
  cast: { boolean: String }, // by default, false would be empty
} as const;

/** Columns are in the order of the interface. A value that looks like a formula gets an apostrophe before it. */
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
