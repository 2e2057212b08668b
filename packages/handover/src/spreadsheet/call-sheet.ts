// Calls as a spreadsheet that never misinterprets a value: identifiers, telephone numbers and text like formulas are text,
// and durations are numbers. Next to the recorded datetime there is a date for calculations.
import { type CallRecord, toDatetime, toOffsetMs, toSeconds } from "@call-media/client";
import { type Cell, FORMATS, MAX_CELL_CHARACTERS } from "./cells.ts";
import { FILE_COLUMNS, type SheetFile, toFileCells } from "./file-cells.ts";
import { type Column, createWorkbook } from "./workbook.ts";

type Field = keyof CallRecord;

/** Media type of the file (IANA registry). */
export const SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export interface CallSheetOptions {
  /** The columns, in this order; `datetime` is followed by the date. */
  readonly fields: readonly Field[];
  /** IANA name of the time zone of the dates. Default: that of the archive, else UTC. */
  readonly timeZone?: string | undefined;
  /** The time zone of datetimes without an offset (D03); if unknown, their date is empty. */
  readonly archiveTimeZone?: string | undefined;
  /** True for last columns with the files of each call, which are passed to `add`: their names, and what their sound is. */
  readonly hasFiles?: boolean;
}

/** A text longer than a cell can hold; the cell has its beginning. */
export interface CutText {
  readonly field: Field;
  readonly call_id: string | null;
}

export interface CallSheet {
  /** `toFiles`: the files of a record, if the sheet has columns for them. */
  readonly add: (
    records: readonly CallRecord[],
    toFiles?: (record: CallRecord) => readonly SheetFile[],
  ) => void;
  /** Writes the end of the file. */
  readonly end: () => void;
  /** The number of truncated texts so far, and the first of them. */
  readonly cut: { readonly count: number; readonly first: CutText | undefined };
}

/**
 * Writes calls as a workbook (.xlsx), a row each, under a header that stays in sight and filters. `onBytes` receives the
 * file chunk by chunk; only one block of it is in memory.
 *
 * @throws TypeError if the platform does not know a time zone.
 * @example
 * ```ts
 * const parts: Uint8Array[] = [];
 * const sheet = createCallSheet({ fields: ["datetime", "call_id", "talk_time"] }, (bytes) => parts.push(bytes));
 * for await (const { records } of client.calls.search(search).pages()) sheet.add(records);
 * sheet.end();
 * ```
 */
export function createCallSheet(
  {
    fields,
    archiveTimeZone,
    timeZone = archiveTimeZone ?? "UTC",
    hasFiles = false,
  }: CallSheetOptions,
  onBytes: (bytes: Uint8Array) => void,
): CallSheet {
  // Detects unknown zones before the file exists.
  for (const zone of [timeZone, archiveTimeZone ?? timeZone]) toOffsetMs(0, zone);
  const cut: { count: number; first: CutText | undefined } = { count: 0, first: undefined };
  const toDate = (value: unknown): Cell => {
    const text = typeof value === "string" ? value : undefined;
    const ms = toDatetime(text, { timeZone: archiveTimeZone })?.instant?.getTime();
    return ms === undefined ? undefined : { clockMs: ms + toOffsetMs(ms, timeZone) };
  };
  const toCells = (record: CallRecord) =>
    fields.flatMap((field): readonly Cell[] => {
      const cell = toCell(field, record[field]);
      if (typeof cell === "string" && cell.length > MAX_CELL_CHARACTERS) {
        cut.count++;
        cut.first ??= { field, call_id: record.call_id };
      }
      return field === "datetime" ? [cell, toDate(record[field])] : [cell];
    });
  const columns = [...fields.flatMap(toColumns(timeZone)), ...(hasFiles ? FILE_COLUMNS : [])];
  const book = createWorkbook(columns, onBytes);
  return {
    cut,
    add(records, toFiles = () => []) {
      for (const record of records)
        book.add([...toCells(record), ...(hasFiles ? toFileCells(toFiles(record)) : [])]);
    },
    end: book.end,
  };
}

const SECONDS: ReadonlySet<Field> = new Set(["handle_time", "talk_time"]);

/** A service may violate the contract: a value that is not text is written as JSON. */
function toCell(field: Field, value: unknown): Cell {
  if (value === null || value === undefined) return undefined;
  const seconds =
    SECONDS.has(field) && (typeof value === "number" || typeof value === "string")
      ? toSeconds(value)
      : undefined;
  return seconds ?? (typeof value === "string" ? value : JSON.stringify(value));
}

const NAME_WIDTH = 18;
const DATE_WIDTH = 20;
const TEXT_WIDTH = 40;
const DATETIME_WIDTH = 27;

const WIDTHS: Partial<Readonly<Record<Field, number>>> = {
  datetime: DATETIME_WIDTH,
  handle_time: 12,
  talk_time: 10,
  notes: TEXT_WIDTH,
  disposition_notes: TEXT_WIDTH,
  transcript: TEXT_WIDTH,
  recordings: TEXT_WIDTH,
  ref_id: TEXT_WIDTH,
};

const toColumns =
  (timeZone: string) =>
  (field: Field): readonly Column[] => {
    const format = SECONDS.has(field) ? FORMATS.general : FORMATS.text;
    const column = { header: field, width: WIDTHS[field] ?? NAME_WIDTH, format };
    if (field !== "datetime") return [column];
    return [column, { header: `Date (${timeZone})`, width: DATE_WIDTH, format: FORMATS.date }];
  };
