// Finds the recordings of a row of the call log in a folder: Five9 names them by variables of the call, not in the log.
import { readdir } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import type { Entry } from "../format.ts";
import { ImportError } from "../../import-error.ts";
import { toSystemFault } from "../../source-files.ts";
import type { Row } from "../columns.ts";
import {
  FIELDS,
  type NameParts,
  parseFilenameTemplate,
  type Variable,
} from "./filename-template.ts";
import { HOUR_MS, type Span, toLocalMs, toSpans } from "./recording-time.ts";

export interface FoundRecordings {
  /** Fields of the call that were read from the names. */
  readonly fields: Entry;
  /** As `media` of an entry, in the order of their starts. */
  readonly media: readonly { readonly file: string; readonly start?: string }[];
}

interface NamedFile {
  readonly file: string;
  readonly parts: NameParts;
  /** Local time as if it were UTC; NaN if the name has none. */
  readonly startMs: number;
}

const TOLERANCE_MS = 2_000;

/** `local` is the row's time stamp, in ISO 8601 and without offset. */
export type FindRecordings = (row: Row, local: string) => Promise<FoundRecordings>;

/** Creates the finder of a folder, which lists it once, for its first row. Throws `ImportError` for a wrong template. */
export function createRecordingFinder(template: string): (directory: string) => FindRecordings {
  const parse = parseFilenameTemplate(template);
  const listed = new Map<string, ReturnType<typeof listFiles>>();
  return (directory) => async (row, local) => {
    const files = listed.get(directory) ?? listFiles(directory, parse);
    listed.set(directory, files);
    const byKey = await files;
    const candidates = toRowKeys(row, local).flatMap((key) => byKey.get(key) ?? []);
    const agreeing = [...new Set(candidates)].filter(({ parts }) => agrees(parts, row));
    return toFound(onTime(agreeing, toSpans(row, local)));
  };
}

async function listFiles(directory: string, parse: (name: string) => NameParts | undefined) {
  const byKey = new Map<string, NamedFile[]>();
  const options = { recursive: true, withFileTypes: true } as const;
  const entries = await readdir(directory, options).catch((error: unknown) => {
    throw new ImportError(`the media folder, ${directory}, ${toSystemFault(error)}`, {
      cause: error,
    });
  });
  for (const entry of entries) {
    const stem = entry.name.slice(0, entry.name.length - extname(entry.name).length);
    const parts = parse(stem.normalize());
    if (parts === undefined || !entry.isFile()) continue;
    const file = relative(directory, join(entry.parentPath, entry.name));
    const named = { file, parts, startMs: toLocalMs(parts) };
    const key = toFileKey(named);
    byKey.set(key, [...(byKey.get(key) ?? []), named]);
  }
  return byKey;
}

// Files are indexed by a value that a row has exactly. The remaining files to compare are of one number on one day.
function toFileKey({ parts, startMs }: NamedFile): string {
  if (parts.call_id !== undefined) return `call ${parts.call_id}`;
  if (parts.session_id !== undefined && Number.isNaN(startMs)) return `session ${parts.session_id}`;
  const day = Number.isNaN(startMs) ? "" : new Date(startMs).toISOString().slice(0, 10);
  return `${day} ${toDigits(parts.consumer_number)}`;
}

function toRowKeys(row: Row, local: string): string[] {
  const numbers = [undefined, row("ANI"), row("DNIS")].map(toDigits);
  const startMs = Date.parse(`${local}Z`);
  const days = [startMs, startMs + 24 * HOUR_MS, startMs - 24 * HOUR_MS]
    .filter((ms) => !Number.isNaN(ms))
    .map((ms) => new Date(ms).toISOString().slice(0, 10));
  return [
    `call ${row("CALL ID") ?? ""}`,
    `session ${row("SESSION ID") ?? ""}`,
    ...days.flatMap((day) => numbers.map((digits) => `${day} ${digits}`)),
  ];
}

// The last ten digits: logs and names differ in the country code.
function toDigits(number: string | undefined): string {
  return (number ?? "").replace(/\D/g, "").slice(-10);
}

const COLUMNS: Partial<Record<Variable, string>> = {
  agent_id: "AGENT",
  agent_name: "AGENT NAME",
  call_id: "CALL ID",
  campaign_name: "CAMPAIGN",
  disposition_name: "DISPOSITION",
  session_id: "SESSION ID",
  skill_name: "SKILL",
};

// Compared by letters and digits: names leave out or replace what a file system forbids.
function agrees(parts: NameParts, row: Row): boolean {
  const bare = (text: string) =>
    text
      .normalize()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  return Object.entries(COLUMNS).every(([variable, column]) => {
    const inName = parts[variable as Variable]; // the keys of the table
    const inRow = row(column);
    return !inName || inRow === undefined || bare(inName) === bare(inRow);
  });
}

/** A name without a time belongs to the call if its other values do; with a time it has to fit one of the spans. */
function onTime(files: readonly NamedFile[], spans: readonly Span[]): readonly NamedFile[] {
  const fits = (shiftMs: number) => (file: NamedFile) =>
    Number.isNaN(file.startMs) ||
    spans.some(
      ({ fromMs, toMs }) =>
        file.startMs + shiftMs >= fromMs - TOLERANCE_MS &&
        file.startMs + shiftMs <= toMs + TOLERANCE_MS,
    );
  const exact = files.filter(fits(0));
  if (exact.length > 0) return exact;
  // In summer the log is an hour ahead of the names, which ignore daylight saving time.
  return files.filter(fits(HOUR_MS)).map((file) => ({ ...file, startMs: file.startMs + HOUR_MS }));
}

function toFound(found: readonly NamedFile[]): FoundRecordings {
  const inOrder = found.toSorted((a, b) => a.startMs - b.startMs || (a.file < b.file ? -1 : 1));
  const fields: Entry = {};
  for (const [variable, field] of Object.entries(FIELDS)) {
    const value = inOrder.map(({ parts }) => parts[variable as Variable]).find(Boolean); // the keys of the table
    if (field !== undefined && value !== undefined) fields[field] = value;
  }
  const toStart = ({ startMs }: NamedFile) =>
    Number.isNaN(startMs) ? {} : { start: new Date(startMs).toISOString().slice(0, 19) };
  return { fields, media: inOrder.map((file) => ({ file: file.file, ...toStart(file) })) };
}
