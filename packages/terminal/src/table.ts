// Prints rows of cells as a table that fits the terminal, in any script.
import measure from "fast-string-truncated-width";
import { io } from "./io.ts";
import { toPrintable } from "./paint.ts";
import { toTableWidth, wrap } from "./width.ts";

export interface TableOptions {
  readonly columns: readonly string[];
  /** The requested columns: truncated last. At least this number of leading columns always stays. */
  readonly kept: ReadonlySet<string>;
  /** True: a column without room is omitted and named at the end. False: all columns are truncated. */
  readonly mayLeaveOut: boolean;
  /** Columns of the terminal; Infinity if the output goes elsewhere. */
  readonly width: number;
}

/** Some services send lists and objects where the contract has texts. */
type Cell = string | number | boolean | object | null | undefined;

export interface Table {
  /** Ends each line. The first rows get the headings above them. Later, wider rows widen the table while there is room. */
  readonly toText: (rows: readonly (readonly Cell[])[]) => string;
  readonly end: () => string;
}

/** Prints a complete list to standard output. */
export function printTable<Column extends string>(
  rows: readonly Readonly<Record<Column, Cell>>[],
  columns: readonly Column[],
  kept: readonly NoInfer<Column>[],
): void {
  const width = toTableWidth();
  const table = createTable({ columns, kept: new Set(kept), mayLeaveOut: true, width });
  const cells = rows.map((row) => columns.map((column) => row[column]));
  io().stdout.write(table.toText(cells) + table.end());
}

const GAP = "  ";
const MIN_WIDTH = 3;

/** A shorter part of a value says little, so a column that nobody requested is omitted instead. */
const READABLE_WIDTH = 8;

export function createTable({ columns, kept, mayLeaveOut, width }: TableOptions): Table {
  let shown: readonly string[] | undefined;
  let widest: readonly number[] = columns.map((name) => stringWidth(name));
  return {
    toText: (values) => {
      const rows = values.map((row) => row.map(toCell));
      const headings = shown === undefined ? [columns] : [];
      widest = toWidest(widest, rows);
      shown ??= mayLeaveOut
        ? columns.slice(0, countReadable(columns, { kept, widest, width }))
        : columns;
      const widths = toWidths(shown, { kept, widest, width });
      return [...headings, ...rows].map((cells) => toLine(cells, widths)).join("");
    },
    end: () => {
      const leftOut = columns.slice((shown ?? columns).length);
      if (leftOut.length === 0) return "";
      return `${wrap(`not shown at this width: ${leftOut.join(", ")}`, { width, indent: "" })}\n`;
    },
  };
}

function toCell(value: Cell): string {
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  return toPrintable(
    String(text ?? "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

function toWidest(before: readonly number[], rows: readonly (readonly string[])[]): number[] {
  return before.map((width, index) =>
    Math.max(width, ...rows.map((row) => stringWidth(row[index] ?? ""))),
  );
}

/** Ignores cells beyond the last width. */
const toLine = (cells: readonly string[], widths: readonly number[]) =>
  `${widths
    .map((width, index) => fit(cells[index] ?? "", width))
    .join(GAP)
    .trimEnd()}\n`;

interface Room extends Pick<TableOptions, "kept" | "width"> {
  readonly widest: readonly number[];
}

/** Counts the leading columns that fit if only the kept ones need their full width. */
function countReadable(columns: readonly string[], { kept, widest, width }: Room): number {
  let used = -GAP.length;
  const next = columns.findIndex((name, index) => {
    const whole = widest[index] ?? 0;
    used += GAP.length + (kept.has(name) ? whole : Math.min(whole, READABLE_WIDTH));
    return used > width;
  });
  // Some of the kept columns may belong to other tables.
  return next === -1
    ? columns.length
    : Math.max(next, columns.filter((name) => kept.has(name)).length);
}

/** Starts with the widest cell of each column, and narrows the widest column step by step until the line fits. */
function toWidths(columns: readonly string[], { kept, widest, width }: Room): number[] {
  const widths = widest.slice(0, columns.length);
  const room = width - GAP.length * (columns.length - 1);
  for (const mayCut of [(name: string) => !kept.has(name), () => true])
    for (let over = sum(widths) - room; over > 0; over--) {
      const index = findWidest(columns, widths, mayCut);
      if (index === undefined) break;
      widths[index] = (widths[index] ?? 0) - 1;
    }
  return widths;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function findWidest(
  columns: readonly string[],
  widths: readonly number[],
  mayCut: (name: string) => boolean,
): number | undefined {
  const candidates = columns.flatMap((name, index) => {
    const width = widths[index] ?? 0;
    return mayCut(name) && width > MIN_WIDTH ? [{ index, width }] : [];
  });
  return candidates.toSorted((one, other) => other.width - one.width)[0]?.index;
}

const stringWidth = (text: string) => measure(text).width;

/** Truncates to `width` terminal columns with an ellipsis; never separates a letter from its accent. */
export function cut(text: string, width: number): string {
  const { index, ellipsed } = measure(text, { limit: width, ellipsis: "…" });
  if (!ellipsed) return text;
  // Created only here: loading the segmentation data takes 9 ms.
  const letter = new Intl.Segmenter().segment(text).containing(index);
  return `${text.slice(0, letter?.index ?? index)}…`;
}

/** Like {@link cut}, but pads shorter text with spaces to exactly `width` columns. */
export function fit(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + " ".repeat(Math.max(0, width - stringWidth(shown)));
}
