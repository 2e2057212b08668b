// Rows of the access log as text: a table for people, JSON lines for programs, CSV for spreadsheets.
import type { LogRow } from "@call-media/store";
import { stringify } from "csv-stringify/sync";
import { cut, fit, toTableWidth } from "@call-media/terminal";
import { toErasedText } from "./erased-text.ts";
import { toPrintable } from "@call-media/service/printable";

type NameOf = (row: LogRow) => string;

/** Text of the rows, piece by piece. */
export type AuditFormat = (rows: AsyncIterable<LogRow>, nameOf: NameOf) => AsyncIterable<string>;

export const AUDIT_FORMATS = { table: toTable, jsonl: toJsonLines, csv: toCsv } as const;

async function* toJsonLines(rows: AsyncIterable<LogRow>, nameOf: NameOf) {
  for await (const row of rows) {
    const { seq, timeMs, ...others } = row;
    const line = JSON.stringify({ seq, time: toTime(timeMs), user: nameOf(row), ...others });
    yield `${toPrintable(line)}\n`;
  }
}

type Field = readonly [name: string, read: (row: LogRow) => unknown];

const CSV_FIELDS: readonly Field[] = [
  ["user_id", ({ userId }) => userId],
  ["credential", ({ credential }) => credential],
  ["session", ({ session }) => session],
  ["operation", ({ operation }) => operation],
  ["asked", ({ asked }) => JSON.stringify(asked)],
  ["call_ids", ({ callIds }) => callIds.join(" ")],
  ["rows", ({ rows }) => rows],
  ["status", ({ status }) => status],
  ["recording_sha256", ({ recording }) => recording?.sha256],
  ["recording_first_byte", ({ recording }) => recording?.first],
  ["recording_last_byte", ({ recording }) => recording?.last],
  ["is_cut", ({ isCut }) => (isCut ? "true" : "false")],
  ["is_handed_out", ({ isHandedOut }) => (isHandedOut ? "true" : "false")],
  ["erased_calls", ({ erased }) => erased?.calls],
  ["erased_chats", ({ erased }) => erased?.chats],
  ["erased_files", ({ erased }) => erased?.files],
  ["outcome", ({ outcome }) => outcome],
  ["counts", ({ counts }) => counts && JSON.stringify(counts)],
  ["run", ({ run }) => run],
  ["request_id", ({ requestId }) => requestId],
  ["address", ({ address }) => address],
  ["hash", ({ hash }) => hash],
];

// Callers choose the text that they search for: a spreadsheet must not run it as a formula, nor a terminal as commands.
async function* toCsv(rows: AsyncIterable<LogRow>, nameOf: NameOf) {
  const toCell = (value: unknown) => (typeof value === "string" ? toPrintable(value) : value);
  const toLine = (values: readonly unknown[]) =>
    stringify([values.map(toCell)], { escape_formulas: true });
  yield toLine(["seq", "time_utc", "user", ...CSV_FIELDS.map(([name]) => name)]);
  for await (const row of rows) {
    const { seq, timeMs } = row;
    yield toLine([seq, toTime(timeMs), nameOf(row), ...CSV_FIELDS.map(([, read]) => read(row))]);
  }
}

interface Column {
  readonly title: string;
  readonly width: number;
  /** Its width in a terminal of fewer than `WIDE` columns; 0 leaves it out. */
  readonly narrow?: number;
  readonly read: (row: LogRow, nameOf: NameOf) => string;
}

const WIDE = 110;

const COLUMNS: readonly Column[] = [
  {
    title: "TIME (UTC)",
    width: 19,
    read: ({ timeMs }) => toTime(timeMs).slice(0, 19).replace("T", " "),
  },
  { title: "USER", width: 12, read: (row, nameOf) => nameOf(row) },
  { title: "HTTP", width: 4, read: ({ status }) => String(status ?? "") },
  { title: "OPERATION", width: 28, narrow: 20, read: ({ operation }) => operation },
  { title: "RELEASED", width: 17, narrow: 0, read: toReleased },
  { title: "FROM", width: 15, narrow: 0, read: ({ address = "" }) => address },
];

// The request comes last and takes the rest of the line; in a file or a pipe nothing is shortened.
async function* toTable(rows: AsyncIterable<LogRow>, nameOf: NameOf) {
  const terminal = toTableWidth();
  const columns = COLUMNS.map(({ width, narrow = width, ...column }) => ({
    ...column,
    width: terminal < WIDE ? narrow : width,
  })).filter(({ width }) => width > 0);
  const toLine = (cells: readonly string[], last: string) =>
    cut([...cells, last].join(" ").trimEnd(), terminal);
  yield `${toLine(
    columns.map(({ title, width }) => fit(title, width)),
    "ASKED FOR",
  )}\n`;
  for await (const row of rows) {
    const cells = columns.map(({ width, read }) => fit(toPrintable(read(row, nameOf)), width));
    yield `${toLine(cells, toPrintable(toAsked(row)))}\n`;
  }
}

function toReleased({ rows = 0, recording, isCut, isHandedOut }: LogRow): string {
  if (rows > 0) return rows === 1 ? "1 row" : `${rows} rows`;
  if (recording === undefined) return "nothing";
  if (isHandedOut) return "handed out";
  const bytes = (recording.last - recording.first + 1).toLocaleString("en");
  return `${isCut ? "cut, " : ""}${bytes} B`;
}

function toAsked(row: LogRow): string {
  const { operation, credential, asked, erased, callIds } = row;
  if (operation === "createToken" || operation === "console sign-in") return `by ${credential}`;
  const toText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.entries(asked)
    .map(([name, value]) => `${name}=${toText(value)}`)
    .concat(erased === undefined ? [] : `erased: ${toErasedText(erased)}`)
    .concat(toOutcome(row))
    .concat(operation === "import" && callIds.length > 0 ? `calls: ${callIds.join(" ")}` : [])
    .join(" ");
}

function toOutcome({ outcome, counts = {} }: LogRow): string[] {
  if (outcome === undefined) return [];
  const told = Object.entries(counts).map(([name, count]) => `${name.replace("_", " ")} ${count}`);
  return [told.length === 0 ? outcome : `${outcome}: ${told.join(", ")}`];
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
