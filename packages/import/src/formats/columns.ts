// The columns of a table with a header by people: matched by the letters and digits of their names, so that CALL ID,
// Call_ID and callId are one column.
import { ImportError } from "../import-error.ts";
import type { Find } from "./mapping/template.ts";

/** The text in a column, by its name; undefined where the row has none. */
export type Row = (column: string) => string | undefined;

/**
 * How names are found in a row; one that the table does not have stands for no value. Throws `ImportError` for one that several
 * columns of `file` have: their values may differ.
 */
export function findByLetters(
  columns: readonly string[],
  nulls: ReadonlySet<string>,
  file: string,
): Find<readonly string[]> {
  const byLetters = Map.groupBy(columns.entries(), ([, column]) => toLetters(column));
  return (name) => {
    const [found, ...others] = byLetters.get(toLetters(name)) ?? [];
    if (found === undefined) return () => undefined;
    const [index, column] = found;
    if (others.length > 0)
      throw new ImportError(
        `${file}: its header has several columns for ${name}: ${[column, ...others.map(([, other]) => other)].join(", ")}; rename those that are not it`,
      );
    return (values) => toValue(values[index], nulls);
  };
}

/** A text of a source without spaces around it, by which nobody would find it; undefined for one that stands for no value. */
export function toValue(text: string | undefined, nulls: ReadonlySet<string>): string | undefined {
  const value = text?.trim();
  return text === undefined || nulls.has(text) || nulls.has(value ?? "") ? undefined : value;
}

/** Makes rows that can be asked for a column by its name. */
export function createRows(find: Find<readonly string[]>): (values: readonly string[]) => Row {
  const found = new Map<string, ReturnType<typeof find>>();
  return (values) => (column) => {
    const read = found.get(column) ?? find(column, column);
    found.set(column, read);
    return read(values);
  };
}

/** The first of the wanted columns that is not among those of a table. */
export function findMissing(
  wanted: readonly string[],
  columns: readonly string[],
): string | undefined {
  const names = new Set(columns.map(toLetters));
  return wanted.find((name) => !names.has(toLetters(name)));
}

/** Throws `ImportError` for a table that has not all of the wanted columns. */
export function checkColumns(
  what: string,
  wanted: readonly string[],
  columns: readonly string[],
): void {
  const missing = findMissing(wanted, columns);
  if (missing !== undefined)
    throw new ImportError(`${what}: its header has no ${missing}; it has ${toColumnList(columns)}`);
}

const LISTED = 50;

/** The names of columns, for messages. */
export function toColumnList(columns: readonly string[]): string {
  const more = columns.length - LISTED;
  const list = columns.slice(0, LISTED).join(", ");
  return more > 0 ? `${list} and ${more.toLocaleString("en")} more` : list;
}

/** Its letters and digits, by which names of columns are compared. */
export function toLetters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
