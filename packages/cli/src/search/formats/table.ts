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

/** The first batch of records sets the widths, so that nothing has to be kept. */
export function createTable({
  columns = COLUMNS,
  showDatetime,
  width,
}: FormatOptions): RecordFormat {
  let widths: readonly number[] | undefined;
  const toRow = (record: CallRecord) => columns.map((field) => toCell(record, field, showDatetime));
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
      widths = toWidths(columns, rows, width);
      return [columns, ...rows].map(toLine).join("");
    },
    end: () => "",
  };
}

function toCell(record: CallRecord, field: Field, showDatetime: (text: string) => string): string {
  const value = record[field];
  if (value === null || value === undefined) return "";
  const text = field === "datetime" ? showDatetime(String(value)) : String(value);
  return toPrintable(text.replaceAll(/\s+/g, " ").trim());
}

/** As wide as the widest; where that is too much, the widest is made smaller again and again. */
function toWidths(columns: readonly Field[], rows: readonly (readonly string[])[], width: number) {
  const widths = columns.map((field, index) =>
    Math.max(...[field, ...rows.map((row) => row[index] ?? "")].map((cell) => stringWidth(cell))),
  );
  const room = width - GAP.length * (columns.length - 1);
  for (const mayCut of [(field: Field) => !KEPT.has(field), () => true])
    for (let over = sum(widths) - room; over > 0; over--) {
      const widest = findWidest(columns, widths, mayCut);
      if (widest === undefined) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
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
