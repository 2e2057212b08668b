// The formats of records that `search` and `export` write.
import { createCsv } from "./csv.ts";
import { createJson, createJsonLines } from "./json.ts";
import type { FormatOptions, RecordFormat } from "./record-format.ts";
import { createCallTable } from "./table.ts";
import { createXlsx } from "./xlsx.ts";

export const RECORD_FORMATS = {
  table: createCallTable,
  json: createJson,
  jsonl: createJsonLines,
  csv: createCsv,
  xlsx: createXlsx,
} as const satisfies Readonly<Record<string, (options: FormatOptions) => RecordFormat>>;
