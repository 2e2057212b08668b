// Rows of the access log as text: a table for people, JSON lines for programs, CSV for spreadsheets.
import type { LogRow } from "@call-media/store";
import { stringify } from "csv-stringify/sync";
import { cut, fit, toTableWidth } from "@call-media/terminal";
import { toTimeName } from "@call-media/store/values";
import { toPlainAddress } from "../http/proxy.ts";
import type { RemarkOf } from "./audit-runs.ts";
import { toErasedText } from "./erased-text.ts";
import { toPrintable } from "@call-media/service/printable";

/** Additional facts about a row. */
export interface RowWords {
  readonly nameOf: (row: LogRow) => string;
  readonly remarkOf: RemarkOf;
}

/** Each returns the text of the rows in chunks. */
export const AUDIT_FORMATS = { table: toTable, jsonl: toJsonLines, csv: toCsv } as const;

async function* toJsonLines(rows: AsyncIterable<LogRow>, { nameOf, remarkOf }: RowWords) {
  for await (const row of rows) {
    const { seq, timeMs, ...others } = row;
    const shown = { ...others, address: toAddress(row), remark: remarkOf(row) || undefined };
    const line = JSON.stringify({ seq, time: toTimeName(timeMs), user: nameOf(row), ...shown });
    yield `${toPrintable(line)}\n`;
  }
}

// Version 1.0 wrote this before the purge was done.
const toErased = ({ operation, erased, counts }: LogRow) =>
  erased ?? (operation === "purge" ? counts : undefined);

// Rows of version 1.0 have the address as the caller's proxy wrote it.
const toAddress = ({ address }: LogRow) =>
  address === undefined ? undefined : toPlainAddress(address);

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
  ["erased_calls", (row) => toErased(row)?.calls],
  ["erased_chats", (row) => toErased(row)?.chats],
  ["erased_files", (row) => toErased(row)?.files],
  ["outcome", ({ outcome }) => outcome],
  ["counts", ({ counts }) => counts && JSON.stringify(counts)],
  ["run", ({ run }) => run],
  ["request_id", ({ requestId }) => requestId],
  ["address", toAddress],
  ["hash", ({ hash }) => hash],
  ["use", ({ use }) => use],
  ["purpose", ({ purpose }) => purpose],
];

// Callers choose the text that they search for. A spreadsheet must not run it as a formula, nor a terminal as commands.
async function* toCsv(rows: AsyncIterable<LogRow>, { nameOf, remarkOf }: RowWords) {
  const toCell = (value: unknown) => (typeof value === "string" ? toPrintable(value) : value);
  const toLine = (values: readonly unknown[]) =>
    stringify([values.map(toCell)], { escape_formulas: true });
  yield toLine([
    "seq",
    "time_utc",
    "user",
    ...CSV_FIELDS.map(([name]) => name),
    "reason",
    "remark",
  ]);
  for await (const row of rows) {
    const { seq, timeMs } = row;
    const values = CSV_FIELDS.map(([, read]) => read(row));
    yield toLine([seq, toTimeName(timeMs), nameOf(row), ...values, row.reason, remarkOf(row)]);
  }
}

interface Column {
  readonly title: string;
  readonly width: number;
  /** Its width in a terminal with fewer than `WIDE` columns; 0 leaves it out. */
  readonly narrow?: number;
  readonly read: (row: LogRow, words: RowWords) => string;
}

const WIDE = 110;

const COLUMNS: readonly Column[] = [
  {
    title: "TIME (UTC)",
    width: 19,
    read: ({ timeMs }) => toTimeName(timeMs).slice(0, 19).replace("T", " "),
  },
  { title: "USER", width: 12, read: (row, { nameOf }) => nameOf(row) },
  { title: "HTTP", width: 4, read: ({ status }) => String(status ?? "") },
  { title: "OPERATION", width: 28, narrow: 20, read: ({ operation }) => operation },
  { title: "RELEASED", width: 17, narrow: 0, read: toReleased },
  { title: "FROM", width: 15, narrow: 0, read: (row) => toAddress(row) ?? "" },
];

// The request comes last and takes the rest of the line. In a file or a pipe nothing is shortened.
async function* toTable(rows: AsyncIterable<LogRow>, words: RowWords) {
  const terminal = toTableWidth();
  const columns = COLUMNS.map(({ width, narrow = width, ...column }) => ({
    ...column,
    width: terminal < WIDE ? narrow : width,
  })).filter(({ width }) => width > 0);
  const toCell = (text: string, width: number) =>
    terminal === Infinity ? text.padEnd(width) : fit(text, width);
  const toLine = (cells: readonly string[], last: string) =>
    cut([...cells, last].join(" ").trimEnd(), terminal);
  yield `${toLine(
    columns.map(({ title, width }) => toCell(title, width)),
    "ASKED FOR",
  )}\n`;
  for await (const row of rows) {
    const cells = columns.map(({ width, read }) => toCell(toPrintable(read(row, words)), width));
    yield `${toLine(cells, toPrintable(toAsked(row, words.remarkOf(row))))}\n`;
  }
}

function toReleased({ rows = 0, recording, isCut, isHandedOut }: LogRow): string {
  if (rows > 0) return rows === 1 ? "1 row" : `${rows} rows`;
  if (recording === undefined) return "nothing";
  if (isHandedOut) return "handed out";
  const bytes = (recording.last - recording.first + 1).toLocaleString("en");
  return `${isCut ? "cut, " : ""}${bytes} B`;
}

function toAsked(row: LogRow, remark: string): string {
  const { operation, credential, asked, found, erased, callIds, use, purpose } = row;
  if (operation === "createToken" || operation === "console sign-in") return `by ${credential}`;
  const toText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.entries(asked)
    .map(([name, value]) => `${name}=${toText(value)}`)
    .concat(use === undefined ? [] : `use=${use}`)
    .concat(purpose === undefined ? [] : `purpose=${purpose}`)
    .concat(erased === undefined ? [] : `erased: ${toErasedText(erased)}`)
    .concat(found === undefined ? [] : `found: ${toErasedText(found, asked["sound"] === true)}`)
    .concat(remark === "" ? toOutcome(row) : remark)
    .concat(operation === "import" && callIds.length > 0 ? `calls: ${callIds.join(" ")}` : [])
    .join(" ");
}

function toOutcome({ outcome, reason, counts = {} }: LogRow): string[] {
  if (outcome === undefined) return [];
  const what = reason === undefined ? outcome : `${outcome} (${reason})`;
  const told = Object.entries(counts).map(([name, count]) => `${name.replace("_", " ")} ${count}`);
  return [told.length === 0 ? what : `${what}: ${told.join(", ")}`];
}
