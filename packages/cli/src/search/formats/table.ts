// Records as a table that fits the terminal, whatever letters are in it.
import type { CallRecord } from "@call-media/client";
import stringWidth from "string-width";
import { toPrintable } from "../../formats/paint.ts";
import type { Field } from "../where/comparison.ts";
import type { FormatOptions, RecordFormat } from "./formats.ts";

/** What people look for first. */
const COLUMNS: readonly Field[] = [
  "datetime",
  "call_id",
  "agent",
  "ani",
  "campaign",
  "disposition",
  "talk_time",
  "recordings",
];

/** By these a call is asked for, so that they are cut last. */
const KEPT: ReadonlySet<Field> = new Set(["datetime", "call_id", "ref_id"]);

const GAP = "  ";
const MIN_WIDTH = 3;

/** Less of a value tells little; a column that nobody asked for is rather left out. */
const READABLE_WIDTH = 8;

/** The first batch of records sets the widths, so that nothing has to be kept. */
export function createTable({ columns, showDatetime, width }: FormatOptions): RecordFormat {
  let shown = columns ?? COLUMNS;
  let widths: readonly number[] | undefined;
  const toRow = (record: CallRecord) => shown.map((field) => toCell(record, field, showDatetime));
  const toLine = (cells: readonly string[]) =>
    `${cells
      .map((cell, index) => fit(cell, widths?.[index] ?? 0))
      .join(GAP)
      .trimEnd()}\n`;
  return {
    begin: () => "",
    toText: (records) => {
      const rows = records.map(toRow);
      if (widths !== undefined) return rows.map(toLine).join("");
      const widest = toWidest(shown, rows);
      if (columns === undefined) shown = shown.slice(0, countReadable(shown, widest, width));
      widths = toWidths(shown, widest, width);
      return [shown, ...rows].map(toLine).join("");
    },
    end: () => {
      const leftOut = (columns ?? COLUMNS).slice(shown.length);
      return leftOut.length === 0 ? "" : `left out for want of room: ${leftOut.join(", ")}\n`;
    },
  };
}

function toCell(record: CallRecord, field: Field, showDatetime: (text: string) => string): string {
  const value = record[field];
  if (value === null || value === undefined) return "";
  const text = field === "datetime" ? showDatetime(String(value)) : String(value);
  return toPrintable(text.replaceAll(/\s+/g, " ").trim());
}

function toWidest(columns: readonly Field[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((field, index) =>
    Math.max(...[field, ...rows.map((row) => row[index] ?? "")].map((cell) => stringWidth(cell))),
  );
}

/** How many of the first columns there is room for when none but those that are cut last has to be whole. */
function countReadable(columns: readonly Field[], widest: readonly number[], width: number) {
  let used = -GAP.length;
  const next = columns.findIndex((field, index) => {
    const whole = widest[index] ?? 0;
    used += GAP.length + (KEPT.has(field) ? whole : Math.min(whole, READABLE_WIDTH));
    return used > width;
  });
  return next === -1 ? columns.length : Math.max(next, KEPT.size);
}

/** As wide as the widest; where that is too much, the widest is made smaller again and again. */
function toWidths(columns: readonly Field[], widest: readonly number[], width: number) {
  const widths = widest.slice(0, columns.length);
  const room = width - GAP.length * (columns.length - 1);
  for (const mayCut of [(field: Field) => !KEPT.has(field), () => true])
    for (let over = sum(widths) - room; over > 0; over--) {
      const index = findWidest(columns, widths, mayCut);
      if (index === undefined) break;
      widths[index] = (widths[index] ?? 0) - 1;
    }
  return widths;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

function findWidest(
  columns: readonly Field[],
  widths: readonly number[],
  mayCut: (field: Field) => boolean,
): number | undefined {
  const candidates = columns.flatMap((field, index) => {
    const width = widths[index] ?? 0;
    return mayCut(field) && width > MIN_WIDTH ? [{ index, width }] : [];
  });
  return candidates.toSorted((one, other) => other.width - one.width)[0]?.index;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Cut with an ellipsis, or filled with spaces, to exactly `width` columns of a terminal. */
function fit(text: string, width: number): string {
  const length = stringWidth(text);
  if (length <= width) return text + " ".repeat(width - length);
  let [cut, used] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    const columns = stringWidth(segment);
    if (used + columns > width - 1) break;
    cut += segment;
    used += columns;
  }
  return `${cut}…${" ".repeat(Math.max(0, width - 1 - used))}`;
}
