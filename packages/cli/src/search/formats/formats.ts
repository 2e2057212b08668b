// Records as text, one after the other: what every format of `search` is.
import type { CallRecord } from "@call-media/client";
import type { Field } from "../where/comparison.ts";
import type { ShowDatetime } from "../time-zone.ts";
import { createCsv } from "./csv.ts";
import { createJson, createJsonLines } from "./json.ts";
import { createCallTable } from "./table.ts";

/** Writes records a batch at a time, so that a search of any length needs no more memory than a page. */
export interface RecordFormat {
  readonly begin: () => string;
  /** With the lines' ends. */
  readonly toText: (records: readonly CallRecord[]) => string;
  readonly end: () => string;
}

export interface FormatOptions {
  /** Fields to show, in this order; undefined: those that the format shows by itself. */
  readonly columns: readonly Field[] | undefined;
  readonly showDatetime: ShowDatetime;
  /** Columns of the terminal; Infinity where the output goes elsewhere. */
  readonly width: number;
  /** Whether a byte order mark goes first, by which Excel knows UTF-8. */
  readonly isForExcel: boolean;
}

export const RECORD_FORMATS = {
  table: createCallTable,
  json: createJson,
  jsonl: createJsonLines,
  csv: createCsv,
} as const satisfies Readonly<Record<string, (options: FormatOptions) => RecordFormat>>;
