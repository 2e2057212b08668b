// Tables: which character parts their columns, what their header says, and a row for every record.
import { createQuoteRules, type CsvRecord, readRecords, splitRecord } from "../csv-records.ts";
import { readLines } from "../lines.ts";
import type { Head } from "../head.ts";
import { ImportError } from "../import-error.ts";
import { RowFault, type SourceRow, type UnfitRow } from "../source-row.ts";
import type { Entry } from "./format.ts";
import { findMatch, type Pattern } from "./mapping/keys.ts";

export interface TableShape {
  /** For messages. */
  readonly file: string;
  /** One character. */
  readonly delimiter: string;
  /** The names of columns for a file without a header; otherwise its first record names them. */
  readonly columns: readonly string[] | undefined;
  /** Records that are no rows; default none. */
  readonly skip?: readonly Pattern[];
  /** False if quotes are characters like others; default true. */
  readonly hasQuotes?: boolean;
}

/** Makes an entry of the values of a row. Throws `RowFault`. */
export type ToRowEntry = (values: readonly string[], line: number) => Entry | Promise<Entry>;

const DELIMITERS = [",", ";", "\t", "|"];

/** `bind` is given the names of the columns once; it throws `ImportError` when they do not fit. */
export async function* readTable(
  chunks: AsyncIterable<Buffer>,
  { file, delimiter, columns, skip = [], hasQuotes = true }: TableShape,
  bind: (columns: readonly string[]) => ToRowEntry,
): AsyncGenerator<SourceRow> {
  let names = columns;
  let toEntry = columns && bind(columns);
  for await (const record of readRecords(chunks, delimiter, hasQuotes)) {
    if (skip.some((pattern) => pattern.test(record.raw))) {
      yield { line: record.line, raw: record.raw, isHeader: false };
      continue;
    }
    if (names !== undefined && toEntry !== undefined) {
      const header = findHeader(record, names);
      if (header !== undefined) {
        yield { line: record.line, raw: record.raw, isHeader: true };
        // The columns of a file that was joined may lie in another order.
        if (header.some((name, index) => name !== names?.[index])) toEntry = bind((names = header));
        continue;
      }
      const row = toRow(record, names, toEntry);
      yield row instanceof Promise ? await row : row;
    } else if ("reason" in record)
      throw new ImportError(`${file}: the header cannot be read: ${record.reason}`);
    else if (record.raw.includes("\r"))
      throw new ImportError(
        `${file}: the lines end in CR alone: save it with the line ends of Unix or Windows`,
      );
    else {
      names = record.values.map((name) => name.trim());
      toEntry = bind(names);
    }
  }
}

// A text log has no longer lines; what is none of its lines may be a file of another kind.
const MAX_LINE = 65_536;

/** Rows of a text whose lines have one form: its captures by name are the columns. */
export async function* readForm(
  chunks: AsyncIterable<Buffer>,
  { form, skip }: { readonly form: Pattern; readonly skip: readonly Pattern[] },
  { columns, toEntry }: { readonly columns: readonly string[]; readonly toEntry: ToRowEntry },
): AsyncGenerator<SourceRow> {
  for await (const row of readLines(chunks, MAX_LINE)) {
    if ("reason" in row) yield row;
    else if (row.text.trim() !== "") {
      const { line, text: raw } = row;
      const groups = findMatch(form, raw)?.groups;
      if (skip.some((pattern) => pattern.test(raw))) yield { line, raw, isHeader: false };
      else if (groups === undefined)
        yield { line, raw, reason: 'the line does not have the form of "lines"' };
      else {
        const values = columns.map((name) => groups[name] ?? "");
        yield await toRow({ line, raw, values }, columns, toEntry);
      }
    }
  }
}

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

/** Its values; none for a line with a stray quote, which is no record by this delimiter. */
export function splitLine(line: string, delimiter: string): readonly string[] {
  const [first = ""] = line.split("\r"); // whose lines end in CR alone is refused where it is read
  return first !== "" && createQuoteRules(delimiter).isWhole(first)
    ? splitRecord(first, delimiter)
    : [];
}

function toRow(
  record: CsvRecord | UnfitRow,
  columns: readonly string[],
  toEntry: ToRowEntry,
): SourceRow | Promise<SourceRow> {
  if ("reason" in record) return record;
  const { line, raw, values } = record;
  const unfit = (reason: string): UnfitRow => ({ line, raw, reason });
  const fail = (error: unknown): UnfitRow => {
    if (error instanceof RowFault) return unfit(error.message);
    throw error;
  };
  if (values.length !== columns.length)
    return unfit(`the row has ${values.length} columns, the file has ${columns.length}`);
  try {
    const entry = toEntry(values, line);
    const fit = (made: Entry): SourceRow => ({ line, raw, entries: [made] });
    return entry instanceof Promise ? entry.then(fit, fail) : fit(entry);
  } catch (error) {
    return fail(error);
  }
}
