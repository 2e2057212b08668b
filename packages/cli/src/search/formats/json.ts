// Unchanged records for programs: as a list, or one per line.
import type { CallRecord } from "@call-media/client";
import type { FormatOptions, RecordFormat } from "./record-format.ts";

export function createJsonLines({ columns }: Pick<FormatOptions, "columns">): RecordFormat {
  const toLine = (record: CallRecord) => `${JSON.stringify(pick(record, columns))}\n`;
  return {
    begin: () => "",
    add: (records) => records.map(toLine).join(""),
    end: () => "",
  };
}

export function createJson(options: FormatOptions): RecordFormat {
  let isFirst = true;
  const toItem = (record: CallRecord) => {
    const comma = isFirst ? "" : ",";
    isFirst = false;
    return `${comma}\n${JSON.stringify(pick(record, options.columns))}`;
  };
  return {
    begin: () => "[",
    add: (records) => records.map(toItem).join(""),
    end: () => "\n]\n",
  };
}

function pick(record: CallRecord, columns: FormatOptions["columns"]): object {
  if (columns === undefined) return record;
  return Object.fromEntries(columns.map((field) => [field, record[field] ?? null]));
}
