// Shows the result of an import in advance: the fields with their first values, and the doubts. Opens no archive.
import { parseDatetime } from "@call-media/store/values";
import { createMemoryStore } from "@call-media/store/memory";
import { chooseReaders, type ReadableFile, toExtensions, toTurns } from "./choose-readers.ts";
import type { Doubt } from "./doubts/doubt.ts";
import { createDoubts } from "./doubts/doubts.ts";
import { ImportStopped } from "./doubts/import-stopped.ts";
import { toOrphanDoubts } from "./doubts/orphans.ts";
import { createClock } from "./entry/clock.ts";
import {
  createEntryParser,
  parseAll,
  type ParsedEntry,
  type ParseEntry,
  toFault,
} from "./entry/parse-entry.ts";
import { openFormats } from "./formats/formats.ts";
import type { ImportOptions } from "./import-options.ts";
import { isObject } from "./json.ts";
import { readJudged } from "./rehearse.ts";
import { findSourceFiles } from "./source-files.ts";
import { type Row, RowFault } from "./source-row.ts";

export type ExplainOptions = Omit<ImportOptions, "store" | "restoresErased" | "onRestoring">;

export interface Explanation {
  readonly files: readonly ExplainedFile[];
  readonly doubts: readonly Doubt[];
  /** True if a doubt shows in the first rows: an import writes nothing then. */
  readonly isStopped: boolean;
}

export interface ExplainedFile {
  readonly file: string;
  readonly fields: readonly ExplainedField[];
  /** Columns or members that the mapping does not name; absent without a mapping. */
  readonly unread?: readonly string[];
  readonly rows: number;
  /** The number of rows that would be rejected. Recordings are not opened: missing ones may reject more. */
  readonly unfit: number;
  /** Why the first of them are none, at most three, such as "log.csv:2: talk_time: ...". */
  readonly firstUnfit: readonly string[];
  /** The first and the last moment, as RFC 3339 in UTC; absent if no row has one. */
  readonly from?: string;
  readonly to?: string;
}

export interface ExplainedField {
  readonly field: string;
  /** The values of the first two rows with an entry; undefined for a missing value. */
  readonly values: readonly (string | undefined)[];
  /** The template of a mapping, such as "{Start}"; absent without one. */
  readonly template?: string;
}

/** Reads all rows and judges them; writes nothing. Throws `ImportError` where an import could not begin. */
export async function explainFiles(options: ExplainOptions): Promise<Explanation> {
  const { timeZone = "UTC", mediaDirectory, notSound, allow = [] } = options;
  const formats = await openFormats(options.mapsDirectory);
  using sources = await findSourceFiles(options.paths, toExtensions({ ...options, formats }));
  const openArchive = async () => createMemoryStore({ timeZone });
  const chosen = await chooseReaders(sources.files, { ...options, formats, timeZone, openArchive });
  const readers = chosen.files.map(({ read }) => read);
  const zone = options.timeZone === undefined ? "unasked" : "known";
  const doubts = createDoubts({ readers, allow, mediaDirectory, notSound, zone, timeZone });
  const stopped = new Map<string, Doubt>();
  const judge = async () => {
    for (const one of await catchStop(doubts.judge)) stopped.set(one.name, one);
  };
  const parse = createEntryParser(createClock(timeZone, timeZone));
  const summaries = new Map(
    chosen.files.map((one) => [one.file, createSummary(one, parse, timeZone)]),
  );
  for (const some of toTurns(chosen.files))
    for await (const { file, row } of readJudged(some, { read: doubts.read, judge }))
      summaries.get(file)?.see(row);
  const files: ExplainedFile[] = [];
  for (const { explain } of summaries.values()) files.push(await explain());
  // A doubt about the first rows stops an import, even if later rows would clear it.
  const last = doubts.list();
  const cleared = [...stopped.values()].filter(
    ({ name }) => !last.some((one) => one.name === name && one.effect === "stop"),
  );
  const orphans = toOrphanDoubts(doubts.listOrphans(), undefined);
  return { files, doubts: [...cleared, ...last, ...orphans], isStopped: stopped.size > 0 };
}

async function catchStop(judge: () => Promise<void>): Promise<readonly Doubt[]> {
  try {
    await judge();
    return [];
  } catch (error) {
    if (error instanceof ImportStopped)
      return error.doubts.filter(({ effect }) => effect === "stop");
    throw error;
  }
}

const SHOWN = 2;
const SHOWN_FAULTS = 3;

/** Sums up one file, a row after the other. */
function createSummary({ file, read }: ReadableFile, parse: ParseEntry, timeZone: string) {
  const first: Record<string, unknown>[] = [];
  const firstUnfit: string[] = [];
  let [rows, unfit, fromMs, toMs] = [0, 0, Infinity, -Infinity];
  const see = (row: Row): void => {
    rows += 1;
    const entries = "entries" in row ? row.entries.filter(isObject) : [];
    first.push(...entries.slice(0, SHOWN - first.length));
    const checked = checkRow(row, parse);
    if (typeof checked === "string") {
      unfit += 1;
      if (firstUnfit.length < SHOWN_FAULTS) firstUnfit.push(`${file.name}:${row.line}: ${checked}`);
      return;
    }
    for (const datetime of checked.flatMap(listDatetimes)) {
      const parsed = parseDatetime(datetime, timeZone);
      if (typeof parsed === "string") continue; // was checked
      fromMs = Math.min(fromMs, parsed.instantMs);
      toMs = Math.max(toMs, parsed.instantMs);
    }
  };
  const explain = async (): Promise<ExplainedFile> => {
    const { templates = {}, listUnread } = read.mapped ?? {};
    const head = listUnread && (await file.peek());
    return {
      file: file.name,
      fields: toFields(templates, first),
      ...(head !== undefined && { unread: listUnread?.(head) ?? [] }),
      rows,
      unfit,
      firstUnfit,
      ...(fromMs <= toMs && { from: toUtc(fromMs), to: toUtc(toMs) }),
    };
  };
  return { see, explain };
}

/** The entries after the archive's own checks; the fault of a row that fails them. */
function checkRow(row: Row, parse: ParseEntry): readonly ParsedEntry[] | string {
  if ("reason" in row) return toFault(row, parse).message;
  try {
    return parseAll(row.entries, parse);
  } catch (error) {
    if (error instanceof RowFault) return error.message;
    throw error;
  }
}

const listDatetimes = ({ item }: ParsedEntry) =>
  item.kind === "call" || item.kind === "chat" ? (item.record.datetime ?? []) : [];

const toUtc = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

// Keys of an entry that are not fields.
const BESIDES = new Set(["kind", "keeps_recordings"]);

function toFields(
  templates: Readonly<Record<string, string>>,
  first: readonly Record<string, unknown>[],
): readonly ExplainedField[] {
  const names = new Set([...Object.keys(templates), ...first.flatMap(Object.keys)]);
  const shown = [...names].filter((field) => !BESIDES.has(field));
  return shown.map((field) => ({
    field,
    values: first.map((entry) => toText(entry[field])),
    ...(templates[field] !== undefined && { template: templates[field] }),
  }));
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.map((one) => toText(isObject(one) ? (one["file"] ?? one) : one) ?? "-").join("; ");
}
