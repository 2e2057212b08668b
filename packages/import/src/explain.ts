// What an import would make of files: their fields with the first values, and what is in doubt. Opens no archive.
import { parseDatetime } from "@call-media/store/values";
import { createMemoryStore } from "@call-media/store/memory";
import { chooseReaders, toExtensions, type ReadableFile } from "./choose-readers.ts";
import type { Doubt } from "./doubts/doubt.ts";
import { createDoubts, type Doubts } from "./doubts/doubts.ts";
import { toOrphanDoubts } from "./doubts/orphans.ts";
import type { ImportOptions } from "./import-options.ts";
import { isObject } from "./json.ts";
import { findSourceFiles } from "./source-files.ts";

export type ExplainOptions = Omit<ImportOptions, "store" | "restoresErased" | "onRestoring">;

export interface Explanation {
  readonly files: readonly ExplainedFile[];
  readonly doubts: readonly Doubt[];
}

export interface ExplainedFile {
  readonly file: string;
  readonly fields: readonly ExplainedField[];
  /** Columns or members that the mapping does not name; absent without a mapping. */
  readonly unread?: readonly string[];
  /** Rows that a reader could read, and those that it could not. */
  readonly rows: number;
  readonly unfit: number;
  /** The first and the last moment, as RFC 3339 in UTC; absent if no row has one. */
  readonly from?: string;
  readonly to?: string;
}

export interface ExplainedField {
  readonly field: string;
  /** What the first two rows with an entry give; undefined where they give nothing. */
  readonly values: readonly (string | undefined)[];
  /** The template of a mapping, such as "{Start}"; absent without one. */
  readonly template?: string;
}

/** Reads all rows and judges them; writes nothing. Throws `ImportError` where an import could not begin. */
export async function explainFiles(options: ExplainOptions): Promise<Explanation> {
  const { timeZone = "UTC", mediaDirectory, allow = [] } = options;
  using sources = await findSourceFiles(options.paths, toExtensions(options));
  const openArchive = async () => createMemoryStore({ timeZone });
  const chosen = await chooseReaders(sources.files, { ...options, timeZone, openArchive });
  const readers = chosen.files.map(({ read }) => read);
  const isZoneKnown = options.timeZone !== undefined;
  const doubts = createDoubts({ readers, allow, mediaDirectory, isZoneKnown });
  const files: ExplainedFile[] = [];
  for (const one of chosen.files) files.push(await explainFile(one, doubts, timeZone));
  const orphans = toOrphanDoubts(doubts.listOrphans(), undefined);
  return { files, doubts: [...doubts.list(), ...orphans] };
}

const SHOWN = 2;

async function explainFile(
  { file, read }: ReadableFile,
  doubts: Doubts,
  timeZone: string,
): Promise<ExplainedFile> {
  const first: Record<string, unknown>[] = [];
  let [rows, unfit, fromMs, toMs] = [0, 0, Infinity, -Infinity];
  for await (const row of doubts.read(file, read)) {
    if ("reason" in row) unfit += 1;
    else rows += 1;
    for (const entry of "entries" in row ? row.entries.filter(isObject) : []) {
      if (first.length < SHOWN) first.push(entry);
      const parsed = parseDatetime(toText(entry["datetime"])?.trim() ?? "", timeZone);
      if (typeof parsed === "string") continue;
      fromMs = Math.min(fromMs, parsed.instantMs);
      toMs = Math.max(toMs, parsed.instantMs);
    }
  }
  const { templates = {}, listUnread } = read.mapped ?? {};
  const names = new Set([...Object.keys(templates), ...first.flatMap(Object.keys)]);
  const head = listUnread && (await file.peek());
  return {
    file: file.name,
    fields: [...names]
      .filter((field) => field !== "kind" && field !== "keeps_recordings")
      .map((field) => ({
        field,
        values: first.map((entry) => toText(entry[field])),
        ...(templates[field] !== undefined && { template: templates[field] }),
      })),
    ...(head !== undefined && { unread: listUnread?.(head) ?? [] }),
    rows,
    unfit,
    ...(fromMs <= toMs && { from: toUtc(fromMs), to: toUtc(toMs) }),
  };
}

const toUtc = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return JSON.stringify(value);
  if (!Array.isArray(value)) return String(value);
  return value.map((one) => (isObject(one) ? String(one["file"]) : String(one))).join("; ");
}
