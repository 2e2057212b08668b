// Tables: which character parts their columns, what their header says, and a row for every record.
import { createQuoteRules, type CsvRecord, readRecords, splitRecord } from "../csv-records.ts";
import { readLines } from "../lines.ts";
import type { Head } from "../head.ts";
import { ImportError } from "../import-error.ts";
import { toUnfit } from "../faults.ts";
import type { SourceRow, UnfitRow } from "../source-row.ts";
import type { Entry } from "./format.ts";
import { createGroups, type Grouping } from "./groups.ts";
import { findMatch, type Pattern } from "./mapping/keys.ts";

export interface TableShape {
  /** For messages. */
  readonly file: string;
  /** One character. */
  readonly delimiter: string;
  /** The names of columns for a file without a header; otherwise its first record names them. */
  readonly columns: readonly string[] | undefined;
  /** Patterns of records to skip; default none. */
  readonly skip?: readonly Pattern[];
  /** False if quotes are characters like others; default true. */
  readonly hasQuotes?: boolean;
}

/** Makes rows of the records of a table. */
export interface RowMaker {
  /** The entries of a row: one record, or those of a group. Throws `RowFault`. */
  readonly toEntries: (
    records: readonly (readonly string[])[],
    line: number,
  ) => Entry[] | Promise<Entry[]>;
  /** Which records together are a row; undefined if each is one. */
  readonly grouping?: Grouping | undefined;
  /** True for a row of sums; asked once for each row, in their order. */
  readonly isTotal?: (values: readonly string[]) => boolean;
}

const DELIMITERS = [",", ";", "\t", "|"];

/** `bind` is given the names of the columns once; it throws `ImportError` when they do not fit. */
export async function* readTable(
  chunks: AsyncIterable<Buffer>,
  shape: TableShape,
  bind: (columns: readonly string[]) => RowMaker,
): AsyncGenerator<SourceRow> {
  const { file, delimiter, columns, skip = [], hasQuotes = true } = shape;
  let table = columns && createRows(columns, bind(columns));
  for await (const record of readRecords(chunks, delimiter, hasQuotes)) {
    if (skip.some((pattern) => pattern.test(record.raw))) {
      const isRowLike = table?.isRowLike(record) === true;
      yield { line: record.line, raw: record.raw, isHeader: false, isRowLike };
      continue;
    }
    if (table !== undefined) {
      if (table.takeHeader(record))
        yield { line: record.line, raw: record.raw, isHeader: true, isRowLike: false };
      else if (table.isTotal(record))
        yield {
          line: record.line,
          raw: record.raw,
          isHeader: false,
          isRowLike: false,
          isTotal: true,
        };
      else {
        const row = table.toRow(record);
        yield* row instanceof Promise ? await row : row;
      }
    } else if ("reason" in record)
      throw new ImportError(`${file}: the header cannot be read: ${record.reason}`);
    else if (record.raw.includes("\r"))
      throw new ImportError(
        `${file}: the lines end in CR alone: save it with the line ends of Unix or Windows`,
      );
    else {
      const names = record.values.map((name) => name.trim());
      table = createRows(names, bind(names));
    }
  }
  if (table !== undefined) yield* table.end();
}

// A text log has no longer lines; what is none of its lines may be a file of another kind.
const MAX_LINE = 65_536;

/** Rows of a text whose lines have one form: its captures by name are the columns. */
export async function* readForm(
  chunks: AsyncIterable<Buffer>,
  { form, skip }: { readonly form: Pattern; readonly skip: readonly Pattern[] },
  { columns, maker }: { readonly columns: readonly string[]; readonly maker: RowMaker },
): AsyncGenerator<SourceRow> {
  const table = createRows(columns, maker);
  for await (const row of readLines(chunks, MAX_LINE)) {
    if ("reason" in row) yield* await table.toRow(row);
    else if (row.text.trim() !== "") {
      const { line, text: raw } = row;
      const groups = findMatch(form, raw)?.groups;
      if (skip.some((pattern) => pattern.test(raw)))
        yield { line, raw, isHeader: false, isRowLike: groups !== undefined };
      else if (groups === undefined) yield* await table.toRow({ line, raw, reason: NO_FORM });
      else
        yield* await table.toRow({ line, raw, values: columns.map((name) => groups[name] ?? "") });
    }
  }
  yield* table.end();
}

const NO_FORM = 'the line does not have the form of "lines"';

/** The names of a header that comes again, in its order; undefined for a row. */
function findHeader(
  record: CsvRecord | UnfitRow,
  columns: readonly string[],
): readonly string[] | undefined {
  if ("reason" in record || columns.length < 2 || record.values.length !== columns.length)
    return undefined;
  // Nearly every row ends here.
  if (!columns.includes(record.values[0]?.trim() ?? "")) return undefined;
  const names = record.values.map((name) => name.trim());
  return columns.every((column) => names.includes(column)) ? names : undefined;
}

interface FirstRecord {
  readonly delimiter: string;
  readonly values: readonly string[];
}

// Every format of tables asks the same of a file that is recognised.
const firstRecords = new WeakMap<Head, FirstRecord>();

/** The values of the first line, by the delimiter that finds the most of them. */
export function readFirstRecord(head: Head): FirstRecord {
  const known = firstRecords.get(head);
  if (known !== undefined) return known;
  const readings = DELIMITERS.map((delimiter) => ({
    delimiter,
    values: splitLine(head.firstLine, delimiter),
  }));
  const found = readings.reduce((best, one) =>
    one.values.length > best.values.length ? one : best,
  );
  firstRecords.set(head, found);
  return found;
}

/** The values of a line; empty for a line with a stray quote, which this delimiter does not explain. */
export function splitLine(line: string, delimiter: string): readonly string[] {
  const [first = ""] = line.split("\r"); // whose lines end in CR alone is refused where it is read
  return first !== "" && createQuoteRules(delimiter).isWhole(first)
    ? splitRecord(first, delimiter)
    : [];
}

/** Makes rows of the records of a table. */
function createRows(columns: readonly string[], { toEntries, grouping, isTotal }: RowMaker) {
  // The columns of a file that was joined may lie in another order.
  let order: readonly number[] | undefined;
  const toRecord = (record: CsvRecord | UnfitRow): CsvRecord | UnfitRow => {
    if ("reason" in record) return record;
    const { line, raw, values } = record;
    if (values.length !== columns.length)
      return {
        line,
        raw,
        reason: `the row has ${values.length} columns, the file has ${columns.length}`,
      };
    return order === undefined
      ? record
      : { line, raw, values: order.map((index) => values[index] ?? "") };
  };
  const make = (records: readonly CsvRecord[]): SourceRow | Promise<SourceRow> => {
    const [{ line } = { line: 1 }] = records;
    const raw = records.map((one) => one.raw).join("\n");
    const fit = (entries: Entry[]): SourceRow => ({ line, raw, entries });
    const fail = (error: unknown): SourceRow => toUnfit({ line, raw }, error);
    try {
      const entries = toEntries(
        records.map(({ values }) => values),
        line,
      );
      return entries instanceof Promise ? entries.then(fit, fail) : fit(entries);
    } catch (error) {
      return fail(error);
    }
  };
  const groups = grouping && createGroups(grouping, make);
  return {
    /** Not so a title or a total, nor where a spreadsheet filled it up with empty columns. */
    isRowLike: (record: CsvRecord | UnfitRow): boolean =>
      !("reason" in record) &&
      record.values.length === columns.length &&
      record.values.filter((value) => value.trim() !== "").length * 2 > columns.length,
    isTotal: (given: CsvRecord | UnfitRow): boolean => {
      const record = toRecord(given);
      return !("reason" in record) && isTotal?.(record.values) === true;
    },
    takeHeader: (record: CsvRecord | UnfitRow): boolean => {
      const header = findHeader(record, columns);
      if (header !== undefined) order = columns.map((name) => header.indexOf(name));
      return header !== undefined;
    },
    toRow: (given: CsvRecord | UnfitRow): readonly SourceRow[] | Promise<readonly SourceRow[]> => {
      const record = toRecord(given);
      if (groups !== undefined) return groups.add(record);
      if ("reason" in record) return [record];
      const row = make([record]);
      return row instanceof Promise ? row.then((one) => [one]) : [row];
    },
    end: async function* (): AsyncGenerator<SourceRow> {
      if (groups !== undefined) yield* groups.end();
    },
  };
}
