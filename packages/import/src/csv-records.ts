// A file as CSV records (RFC 4180), each with the line it begins on. A quote opened by mistake costs its own line only: the lines
// after it are read again.
import { type Line, readLines } from "./lines.ts";
import type { UnfitRow } from "./source-row.ts";

export interface CsvRecord {
  readonly line: number;
  readonly raw: string;
  readonly values: readonly string[];
}

// The longest honest record carries a transcript; one whose quote is never closed is read this far.
const MAX_RECORD_LENGTH = 4 * 1024 * 1024;

/** `delimiter` is one character; without quotes a record is a line. */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  hasQuotes = true,
): AsyncGenerator<CsvRecord | UnfitRow> {
  if (!hasQuotes) {
    for await (const row of readLines(chunks, MAX_RECORD_LENGTH)) {
      if ("reason" in row) yield row;
      else if (row.text !== "")
        yield { line: row.line, raw: row.text, values: row.text.split(delimiter) };
    }
    return;
  }
  const source = createLineSource(readLines(chunks, MAX_RECORD_LENGTH));
  const quotes = createQuoteRules(delimiter);
  for (
    let row = await assemble(source, quotes);
    row !== undefined;
    row = await assemble(source, quotes)
  )
    yield "reason" in row ? row : { ...row, values: splitRecord(row.raw, delimiter) };
}

/** The values of a whole record. */
export function splitRecord(raw: string, delimiter: string): readonly string[] {
  if (!raw.includes(QUOTE)) return raw.split(delimiter);
  const values: string[] = [];
  for (let at = 0; at <= raw.length; at += delimiter.length) {
    const isQuoted = raw[at] === QUOTE;
    const end = isQuoted ? findClosing(raw, at + 1) : raw.indexOf(delimiter, at);
    const value = raw.slice(at, end === -1 ? raw.length : end);
    values.push(isQuoted ? value.slice(1).replaceAll('""', QUOTE) : value);
    at += value.length + (isQuoted ? 1 : 0);
  }
  return values;
}

const QUOTE = '"';

function findClosing(raw: string, from: number): number {
  let end = raw.indexOf(QUOTE, from);
  while (raw[end + 1] === QUOTE) end = raw.indexOf(QUOTE, end + 2);
  return end;
}

type RawRecord = Omit<CsvRecord, "values">;
type LineSource = ReturnType<typeof createLineSource>;
type QuoteRules = ReturnType<typeof createQuoteRules>;

function createLineSource(lines: AsyncGenerator<Line | UnfitRow>) {
  const waiting: (Line | UnfitRow)[] = []; // the next one last
  return {
    next: async (): Promise<Line | UnfitRow | undefined> =>
      waiting.pop() ?? (await lines.next()).value ?? undefined,
    putBack: (given: readonly (Line | UnfitRow)[]) => void waiting.push(...given.toReversed()),
  };
}

/** Which lines are a record by their quotes, and which are the beginning of one. */
export function createQuoteRules(delimiter: string) {
  const other = delimiter.replace(/[\\\]^-]/, "\\$&");
  const quoted = '"[^"]*(?:""[^"]*)*';
  const field = `(?:${quoted}"|[^"${other}]*)`;
  const whole = new RegExp(`^${field}(?:[${other}]${field})*$`);
  const open = new RegExp(`^(?:${field}[${other}])*${quoted}$`);
  return { isWhole: (text: string) => whole.test(text), isOpen: (text: string) => open.test(text) };
}

async function assemble(
  source: LineSource,
  quotes: QuoteRules,
): Promise<RawRecord | UnfitRow | undefined> {
  const first = await nextFilled(source);
  if (first === undefined || "reason" in first) return first;
  const { line, text } = first;
  if (quotes.isWhole(text)) return { line, raw: text };
  return quotes.isOpen(text) ? close(first, source, quotes) : toMisquoted(first);
}

async function nextFilled(source: LineSource): Promise<Line | UnfitRow | undefined> {
  for (;;) {
    const next = await source.next();
    if (next === undefined || "reason" in next || next.text !== "") return next;
  }
}

/** Adds lines to a record until its last quote is closed. */
async function close(
  first: Line,
  source: LineSource,
  quotes: QuoteRules,
): Promise<RawRecord | UnfitRow> {
  const lines: Line[] = [];
  let length = first.text.length;
  for (let isOpen = true; isOpen;) {
    const next = await source.next();
    if (next === undefined || "reason" in next || length > MAX_RECORD_LENGTH) {
      source.putBack(next === undefined ? lines : [...lines, next]);
      return toMisquoted(first);
    }
    lines.push(next);
    length += next.text.length;
    isOpen = countQuotes(next.text) % 2 === 0;
  }
  const raw = [first, ...lines].map(({ text }) => text).join("\n");
  if (quotes.isWhole(raw)) return { line: first.line, raw };
  source.putBack(lines);
  return toMisquoted(first);
}

function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

function toMisquoted({ line, text }: Line): UnfitRow {
  return {
    line,
    raw: text,
    reason: 'a quote (") is opened and not closed, or stands inside a field that is not quoted',
  };
}
