// The first sheet of a workbook (.xlsx, ECMA-376), as CSV: dates as ISO 8601, numbers with the 15 digits that a spreadsheet keeps.
import { ImportError } from "./import-error.ts";
import { isObject } from "./json.ts";
import { XmlElement } from "./xml.ts";
import { readXmlElements } from "./xml-elements.ts";
import type { ZipMember } from "./zip.ts";

/** The list of sheets. A zip archive without it is not a workbook. */
const BOOK = "xl/workbook.xml";

export const isWorkbook = (members: readonly ZipMember[]): boolean =>
  members.some(({ name }) => name.endsWith(`/${BOOK}`));

/** A line for each row of the sheet. Throws `ImportError`, naming the file, for a workbook that lacks a part. */
export async function* readFirstSheet(
  path: string,
  members: readonly ZipMember[],
): AsyncGenerator<Buffer> {
  const { book, sheets } = await readBook(path, members);
  const member = sheets[0]?.member;
  if (member === undefined) throw new ImportError(`${path} is a workbook without a first sheet`);
  const readAll = (part: string, from: string) => readParts(findPart(path, members, part), from);
  const texts = (await readAll("xl/sharedStrings.xml", "si")).map(toText);
  const [styles] = await readAll("xl/styles.xml", "");
  const toValue = createCellReader({
    texts,
    dates: listDates(styles),
    is1904: /^(?:1|true)$/.test(read(at(book, "workbookPr"), "@date1904")),
  });
  let width = 0;
  let line = 1;
  const refuse = (what: string) => new ImportError(`${member.name}: ${what}`);
  for await (const row of readXmlElements(member.chunks(), "sheetData.row")) {
    if ("reason" in row) throw refuse(row.reason);
    const cells = toCells(row.value, toValue, refuse);
    if (cells.every((text) => text === "")) continue;
    // Cells that have only a style are empty.
    while (cells.length > width && cells.at(-1) === "") cells.pop();
    width ||= cells.length;
    const number = Number(read(row.value, "@r")) || line;
    if (number > MOST_ROWS) throw refuse(`row ${number} is beyond what a sheet may have`);
    while (cells.length < width) cells.push("");
    yield Buffer.from(`${"\n".repeat(Math.max(0, number - line))}${cells.map(quote).join(",")}\n`);
    line = Math.max(line, number) + 1;
  }
}

export interface FurtherSheet {
  readonly name: string;
  /** True if it may be the table of the calls: a header and a row, both as wide as the header of the first sheet. */
  readonly hasCalls: boolean;
}

/** The sheets behind the first that have rows. Throws `ImportError` as `readFirstSheet`. */
export async function listFurtherSheets(
  path: string,
  members: readonly ZipMember[],
): Promise<readonly FurtherSheet[]> {
  const { sheets } = await readBook(path, members);
  const [header = 0] = await listWidths(sheets[0]?.member, { least: 1, count: 1 });
  const further: FurtherSheet[] = [];
  for (const { name, member } of sheets.slice(1)) {
    const [row] = await listWidths(member, { least: 0, count: 1 });
    if (row === undefined) continue;
    const wide = await listWidths(member, { least: Math.max(1, header), count: 2 });
    further.push({ name, hasCalls: wide.length > 1 });
  }
  return further;
}

/** How many cells the first `count` rows of `least` cells or more have. */
async function listWidths(
  member: ZipMember | undefined,
  { least, count }: { readonly least: number; readonly count: number },
): Promise<readonly number[]> {
  const widths: number[] = [];
  if (member === undefined) return widths;
  for await (const row of readXmlElements(member.chunks(), "sheetData.row")) {
    const cells = "reason" in row ? [] : list(at(row.value, "c")).filter(hasValue);
    if (cells.length >= least) widths.push(cells.length);
    if (widths.length === count) break;
  }
  return widths;
}

const hasValue = (cell: unknown) => read(cell, "v") !== "" || at(cell, "is") !== undefined;

const findPart = (path: string, members: readonly ZipMember[], part: string) =>
  members.find(({ name }) => name === `${path}/${part}`);

async function readBook(path: string, members: readonly ZipMember[]) {
  const [book] = await readParts(findPart(path, members, BOOK), "");
  const rels = findPart(path, members, "xl/_rels/workbook.xml.rels");
  const links = await readParts(rels, "Relationship");
  const sheets = list(at(book, "sheets", "sheet")).map((sheet) => {
    const target = links.find((one) => read(one, "@Id") === read(sheet, "@r:id"));
    const part = read(target, "@Target").replace(/^\/?(?:xl\/)?/, "xl/");
    return { name: read(sheet, "@name"), member: findPart(path, members, part) };
  });
  return { book, sheets };
}

const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

async function readParts(member: ZipMember | undefined, path: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  if (member === undefined) return found;
  for await (const one of readXmlElements(member.chunks(), path)) {
    if ("reason" in one) throw new ImportError(`${member.name}: ${one.reason}`);
    found.push(one.value);
  }
  return found;
}

// The last cell of a sheet is XFD1048576 (ECMA-376, as spreadsheets keep it).
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;

type ToValue = (cell: unknown) => string;

/** By their columns: "C7" is the third. Cells without a value may be left out. */
function toCells(row: unknown, toValue: ToValue, refuse: (what: string) => ImportError): string[] {
  const cells: string[] = [];
  for (const cell of list(at(row, "c"))) {
    const letters = /^[A-Z]+/.exec(read(cell, "@r"))?.[0];
    const index = letters === undefined ? cells.length : toIndex(letters);
    if (index >= MOST_COLUMNS) throw refuse(`column ${letters} is beyond what a sheet may have`);
    while (cells.length < index) cells.push("");
    cells[index] = toValue(cell);
  }
  return cells;
}

const toIndex = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

interface Book {
  /** The shared texts. */
  readonly texts: readonly string[];
  /** By style: the meaning of numbers that stand for dates and times. */
  readonly dates: readonly (DateParts | undefined)[];
  readonly is1904: boolean;
}

function createCellReader({ texts, dates, is1904 }: Book): ToValue {
  return (cell) => {
    const value = read(cell, "v");
    switch (read(cell, "@t")) {
      case "s":
        return texts[Number(value)] ?? "";
      case "inlineStr":
        return toText(at(cell, "is"));
      case "b":
        return value === "1" ? "TRUE" : "FALSE";
      case "str":
      case "e":
      case "d":
        return value;
      default: {
        const parts = dates[Number(read(cell, "@s") || 0)];
        if (value === "" || parts === undefined) return toNumber(value);
        return toDate(Number(value), parts, is1904);
      }
    }
  };
}

// 0.1 + 0.2 is stored as 0.30000000000000004. A number that has lost digits keeps its exponent, which the doubt `ids` finds.
const DIGITS = 15;
const EXACT = 1e15;

function toNumber(value: string): string {
  const number = Number(value);
  if (value === "" || Number.isNaN(number)) return value;
  if (Math.abs(number) >= EXACT)
    return /e/i.test(value) ? number.toExponential().toUpperCase() : value;
  return String(Number(number.toPrecision(DIGITS)));
}

interface DateParts {
  readonly hasDay: boolean;
  readonly hasTime: boolean;
}

// The formats that have a number and no code (ECMA-376, 18.8.30).
const toBuiltIn = (id: number): DateParts | undefined => {
  const hasDay = (id >= 14 && id <= 17) || id === 22;
  const hasTime = (id >= 18 && id <= 22) || (id >= 45 && id <= 47);
  return hasDay || hasTime ? { hasDay, hasTime } : undefined;
};

function listDates(styles: unknown): readonly (DateParts | undefined)[] {
  const codes = new Map(
    list(at(styles, "numFmts", "numFmt")).map((one) => [
      Number(read(one, "@numFmtId")),
      toDateParts(read(one, "@formatCode")),
    ]),
  );
  return list(at(styles, "cellXfs", "xf")).map((style) => {
    const id = Number(read(style, "@numFmtId"));
    return codes.has(id) ? codes.get(id) : toBuiltIn(id);
  });
}

function toDateParts(code: string): DateParts | undefined {
  const letters =
    code.replace(/"[^"]*"|\\.|_.|\[(?![hms]+\])[^\]]*\]|General/gi, "").split(";")[0] ?? "";
  const [hasDay, hasTime] = [/[dy]/i.test(letters), /[hs]/i.test(letters)];
  return hasDay || hasTime ? { hasDay, hasTime } : undefined;
}

const DAY_MS = 86_400_000;
const DAYS_TO_1970 = 25_569; // from 30 December 1899
const DAYS_TO_1904 = 1_462;

function toDate(serial: number, { hasDay, hasTime }: DateParts, is1904: boolean): string {
  const ms = Math.round(serial * DAY_MS);
  if (!hasDay) return toClock(Math.round(ms / 1_000));
  const date = new Date(ms + (is1904 ? DAYS_TO_1904 : 0) * DAY_MS - DAYS_TO_1970 * DAY_MS);
  if (Number.isNaN(date.getTime())) return String(serial);
  const iso = date.toISOString().replace(/(?:\.000)?Z$/, "");
  return hasTime || ms % DAY_MS !== 0 ? iso : iso.slice(0, "yyyy-MM-dd".length);
}

// Also more than a day, of durations.
function toClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/** The text of an item: `t`, or that of its runs `r`, without what says how to pronounce it. */
const toText = (item: unknown): string =>
  [...list(at(item, "t")), ...list(at(item, "r")).flatMap((run) => list(at(run, "t")))]
    .map((text) => (isObject(text) ? read(text, "#text") : String(text)))
    .join("");

function at(element: unknown, ...names: readonly string[]): unknown {
  let value = element;
  for (const name of names) value = value instanceof XmlElement ? value[name] : undefined;
  return value;
}

const list = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

function read(element: unknown, name: string): string {
  const value = at(element, name);
  return isObject(value) ? read(value, "#text") : typeof value === "string" ? value : "";
}
