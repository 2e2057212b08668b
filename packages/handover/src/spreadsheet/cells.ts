// Values as cells of a sheet in SpreadsheetML (ECMA-376, part 1, 18.3.1); text is kept literally.

/** Undefined: an empty cell. A date is the time that a clock shows, in ms since 1970 of a clock set to UTC. */
export type Cell = string | number | { readonly clockMs: number } | undefined;

/** The maximum that Excel reads in a cell, in UTF-16 units ("Excel specifications and limits"). */
export const MAX_CELL_CHARACTERS = 32_767;

/** Cell formats, by their index in `STYLES` of the workbook. */
export const FORMATS = { general: 0, date: 1, text: 2, header: 3 } as const;

const DAY_MS = 86_400_000;

/** Day 0 is 1899-12-30. */
const DAYS_BEFORE_1970 = 25_569;

/** Days before March 1900 are ambiguous, because Lotus 1-2-3 treated 1900 as a leap year; the year 10000 is out of range. */
const DATES_MS = [Date.UTC(1900, 2, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)] as const;

/** `reference`: such as "B7". Returns "" for an empty cell. */
export function toCellXml(reference: string, cell: Cell): string {
  if (cell === undefined || cell === "") return "";
  if (typeof cell === "number") return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === "string") return toTextXml(reference, cell, FORMATS.text);
  const { clockMs } = cell;
  if (!(clockMs >= DATES_MS[0] && clockMs <= DATES_MS[1])) return "";
  return `<c r="${reference}" s="${FORMATS.date}"><v>${clockMs / DAY_MS + DAYS_BEFORE_1970}</v></c>`;
}

export function toTextXml(reference: string, text: string, format: number): string {
  const escaped = escapeXml(cutForCell(text));
  return `<c r="${reference}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

/** As much as a cell can hold, without half a character at its end. */
function cutForCell(text: string): string {
  if (text.length <= MAX_CELL_CHARACTERS) return text;
  const cut = text.slice(0, MAX_CELL_CHARACTERS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Otherwise an XML parser would read it as a line feed (XML 1.0, 2.11).
  "\r": "&#13;",
};

/** Control characters and lone surrogates, which XML 1.0, 2.2 excludes. */
const UNREPRESENTABLE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeXml(text: string): string {
  return (
    text
      .replaceAll(UNREPRESENTABLE, "\ufffd")
      // Excel reads _x0041_ as A (ECMA-376, part 1, 22.9.2.19); the underscore itself is _x005F_.
      .replaceAll(/_(?=x[\da-f]{4}_)/gi, "_x005F_")
      .replaceAll(/[&<>"\r]/g, (one) => ENTITIES[one] ?? one)
  );
}

/** 0 is A, 26 is AA. */
export function toColumnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : toColumnName(Math.floor(index / 26) - 1) + letter;
}
