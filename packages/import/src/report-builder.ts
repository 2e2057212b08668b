// Builds the report of an import: counts every row once, and writes rejected rows to the reject file.
import { type FileHandle, open, stat } from "node:fs/promises";
import type { FindingKind } from "@call-media/sound";
import type { ArchiveItem, Outcome } from "@call-media/store";
import { cut } from "./cut.ts";
import { ImportError } from "./import-error.ts";
import type { ImportReport, RejectedRow, Rejection, NamedRow } from "./import-options.ts";
import type { RowNotice } from "./source-row.ts";
import { toSystemFault } from "./source-files.ts";

// Enough to recognise a row; a reject file must not grow to the size of the source.
const MAX_LENGTH = 4_096;
const FIRST_REJECTIONS = 10;
const FIRST_NAMED = 10;
const MAX_NOTICES = 20;
const OTHERS = "other notices";

const OWNER_ONLY = 0o600;

export interface ReportBuilder extends AsyncDisposable {
  /** Counts the outcomes of rows, in their order. */
  add(rows: readonly CountedRow[]): Promise<void>;
  readonly read: number;
  build(): ImportReport;
}

export interface CountedRow {
  readonly file: string;
  readonly line: number;
  readonly raw: string;
  readonly notices: readonly RowNotice[];
  /** The items of the row; empty if it is rejected. */
  readonly items: readonly ArchiveItem[];
  readonly outcome: Outcome;
}

/** Without `rejectFile` rejected rows are counted only. */
export function createReportBuilder(rejectFile: string | undefined): ReportBuilder {
  const counts = { imported: 0, replaced: 0, unchanged: 0, erased: 0, due: 0, rejected: 0 };
  const firstRejections: Rejection[] = [];
  const named = { replaced: [] as NamedRow[], erased: [] as NamedRow[], due: [] as NamedRow[] };
  const notices = new Map<string, { rows: number; first: string[] }>();
  const sound: Partial<Record<FindingKind, number>> = {};
  let rejects: FileHandle | undefined;
  const toRead = () => Object.values(counts).reduce((sum, count) => sum + count, 0);

  // Sources choose these texts; they must not fill the memory.
  const note = ({ file, line, items, notices: own }: CountedRow) => {
    for (const [given, some] of Map.groupBy(own, ({ text }) => text)) {
      const text = notices.has(given) || notices.size < MAX_NOTICES ? given : OTHERS;
      const { rows, first } = notices.get(text) ?? { rows: 0, first: [] };
      const names = some.flatMap(({ name }) => name ?? []);
      const lines = names.map((name) => `${name}: ${toName(items)} (${file}:${line})`);
      first.push(...lines.slice(0, FIRST_NAMED - first.length));
      notices.set(text, { rows: rows + 1, first });
    }
    for (const { fault } of own) if (fault !== undefined) sound[fault] = (sound[fault] ?? 0) + 1;
  };

  const writeRejects = async (rows: readonly RejectedRow[]) => {
    if (rejectFile === undefined || rows.length === 0) return;
    rejects ??= await openForOwner(rejectFile);
    await rejects.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  };

  return {
    add: async (rows) => {
      const rejected: RejectedRow[] = [];
      for (const row of rows) {
        const { file, line, raw, items, outcome } = row;
        if (typeof outcome === "string") {
          counts[outcome] += 1;
          if (outcome === "replaced" || outcome === "erased" || outcome === "due")
            if (named[outcome].length < FIRST_NAMED)
              named[outcome].push({ file, line, record: toName(items) });
          note(row);
        } else
          rejected.push({
            file,
            line,
            reason: cut(outcome.rejected, MAX_LENGTH),
            raw: cut(raw, MAX_LENGTH),
          });
      }
      counts.rejected += rejected.length;
      const wanted = rejected.slice(0, FIRST_REJECTIONS - firstRejections.length);
      firstRejections.push(...wanted.map(({ file, line, reason }) => ({ file, line, reason })));
      await writeRejects(rejected);
    },
    get read() {
      return toRead();
    },
    build: () => {
      const { due, ...ofOthers } = counts;
      const all = [...notices].map(([text, { rows, first }]) => ({
        text,
        rows,
        ...(first.length > 0 && { first }),
      }));
      return {
        read: toRead(),
        ...ofOthers,
        ...(rejects && rejectFile ? { rejectFile } : {}),
        firstRejections,
        firstReplacements: named.replaced,
        firstErased: named.erased,
        ...(due > 0 && { due, firstDue: named.due }),
        ...(all.length > 0 && { notices: all }),
        ...(Object.keys(sound).length > 0 && { sound }),
      };
    },
    [Symbol.asyncDispose]: async () => rejects?.close(),
  };
}

/** One line for people: "read 3 = imported 1 + ...". */
export function toSummary(report: ImportReport): string {
  const toText = (what: string, rows: number) => `${what} ${rows.toLocaleString("en")}`;
  const parts = [
    ...(["imported", "replaced", "unchanged"] as const).map((name) => toText(name, report[name])),
    ...(report.erased > 0 ? [toText("erased before", report.erased)] : []),
    ...(report.due === undefined ? [] : [toText("due by the policy", report.due)]),
    toText("rejected", report.rejected),
  ];
  return `${toText("read", report.read)} = ${parts.join(" + ")}`;
}

/** Throws `ImportError` for a file that is there and not empty: it is that of another run. */
export async function checkRejectFile(rejectFile: string): Promise<void> {
  const found = await stat(rejectFile).catch(() => undefined);
  if (found?.isFile() && found.size > 0)
    throw new ImportError(
      `the reject file ${rejectFile} is there already, and an import never overwrites one: move it away, or name another (--rejects)`,
    );
}

/** Readable by its owner only, like the archive, even if the file existed: it holds unredacted rows. */
async function openForOwner(rejectFile: string): Promise<FileHandle> {
  await checkRejectFile(rejectFile);
  try {
    const file = await open(rejectFile, "a", OWNER_ONLY);
    if ((await file.stat()).isFile()) await file.chmod(OWNER_ONLY);
    return file;
  } catch (error) {
    throw new ImportError(`the reject file ${rejectFile} ${toSystemFault(error)}`, {
      cause: error,
    });
  }
}

/** Names the first item of a row, for people. */
function toName([item]: readonly ArchiveItem[]): string {
  if (item === undefined) return "";
  if (item.kind === "user") return `user ${item.record.username}`;
  if (item.kind === "flag") return `flag ${item.record.Id}`;
  const { call_id, datetime } = item.record;
  return `${item.kind} ${call_id}${datetime === null ? "" : ` of ${datetime}`}`;
}
