// Tables for tests, written as spreadsheets and telephone systems write them, and what stands in their cells.
import * as fc from "fast-check";

/** Text that fits a cell of one line, without spaces around it. */
export const cellText = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((text) => text.trim())
  .filter((text) => text !== "" && text.isWellFormed() && !/[\0\r\n]/.test(text));

/** Whole seconds of the years 2015 to 2025, in ms since 1970. */
export const wholeSecond = fc
  // Calls of the next hours are a doubt, which stops.
  .integer({ min: Date.UTC(2015, 0) / 1_000, max: Date.UTC(2026, 0) / 1_000 })
  .map((seconds) => seconds * 1_000);

/** The rows as lines of CSV, their keys as the header. */
export function toLines(rows: readonly Readonly<Record<string, string>>[]): string[] {
  const header = Object.keys(rows[0] ?? {});
  return [toLine(header), ...rows.map((row) => toLine(Object.values(row)))];
}

export function toLine(cells: readonly string[]): string {
  const quote = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return cells.map(quote).join(",");
}

/** HH:MM:SS; nothing where there is no length. */
export function toClock(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Date and time of UTC, in ISO 8601 without an offset. */
export function toDatetime(instantMs: number, separator: "T" | " " = "T"): string {
  return new Date(instantMs).toISOString().slice(0, 19).replace("T", separator);
}
