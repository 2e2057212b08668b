// The formats of records: one entry per format, for `search`, `export` and their help.
import { createCsv } from "./csv.ts";
import {
  type PrintGroups,
  printGroupCsv,
  printGroupJson,
  printGroupLines,
  printGroupTable,
} from "./groups.ts";
import { createJson, createJsonLines } from "./json.ts";
import type { FormatOptions, RecordFormat } from "./record-format.ts";
import { createCallTable } from "./table.ts";
import { createXlsx } from "./xlsx.ts";

interface KnownFormat {
  /** File extensions, by which --out chooses the format. */
  readonly endings: readonly string[];
  readonly create: (options: FormatOptions) => RecordFormat;
  /** Undefined if the format has only records, and consists of bytes that a terminal cannot show. */
  readonly printGroups: PrintGroups | undefined;
}

export const RECORD_FORMATS = {
  table: { endings: [".txt"], create: createCallTable, printGroups: printGroupTable },
  json: { endings: [".json"], create: createJson, printGroups: printGroupJson },
  jsonl: { endings: [".jsonl"], create: createJsonLines, printGroups: printGroupLines },
  csv: { endings: [".csv"], create: createCsv, printGroups: printGroupCsv },
  xlsx: { endings: [".xlsx"], create: createXlsx, printGroups: undefined },
} as const satisfies Readonly<Record<string, KnownFormat>>;

export type RecordFormatName = keyof typeof RECORD_FORMATS;
