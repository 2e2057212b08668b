// The account of an import: every row that was read is counted once, and rejected ones go to the reject file.
import { type FileHandle, open } from "node:fs/promises";
import type { ArchiveItem, Outcome } from "../call-store.ts";
import {
  ImportError,
  type ImportReport,
  type RejectedRow,
  type Rejection,
  type Replacement,
} from "./import-options.ts";
import { toSystemFault } from "./source-files.ts";

// Enough to recognise a row; a reject file must not grow to the size of the source.
const MAX_RAW_LENGTH = 4_096;
const MAX_REASON_LENGTH = 500;
const FIRST_REJECTIONS = 10;
const FIRST_REPLACEMENTS = 10;
const MAX_NOTICES = 10;
const OTHERS = "other notices";

const OWNER_ONLY = 0o600;

export interface Account extends AsyncDisposable {
  /** Books what became of rows, in their order. */
  book(rows: readonly BookedRow[]): Promise<void>;
  readonly read: number;
  report(): ImportReport;
}

export interface BookedRow {
  readonly file: string;
  readonly line: number;
  readonly raw: string;
  readonly notice?: string | undefined;
  /** What the row says; empty for one that is rejected. */
  readonly items: readonly ArchiveItem[];
  readonly outcome: Outcome;
}

/** Without `rejectFile` rejected rows are counted only. */
export function createAccount(rejectFile: string | undefined): Account {
  const counts = { imported: 0, replaced: 0, unchanged: 0, rejected: 0 };
  const firstRejections: Rejection[] = [];
  const firstReplacements: Replacement[] = [];
  const notices = new Map<string, number>();
  let rejects: FileHandle | undefined;
  const toRead = () => counts.imported + counts.replaced + counts.unchanged + counts.rejected;

  // What sources make up as they like must not fill the memory.
  const note = (notice: string) => {
    const text = notices.has(notice) || notices.size < MAX_NOTICES ? notice : OTHERS;
    notices.set(text, (notices.get(text) ?? 0) + 1);
  };

  const writeRejects = async (rows: readonly RejectedRow[]) => {
    if (rejectFile === undefined || rows.length === 0) return;
    rejects ??= await openForOwner(rejectFile);
    await rejects.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  };

  return {
    book: async (rows) => {
      const rejected: RejectedRow[] = [];
      for (const { file, line, raw, notice, items, outcome } of rows) {
        if (typeof outcome === "string") {
          counts[outcome] += 1;
          if (outcome === "replaced" && firstReplacements.length < FIRST_REPLACEMENTS)
            firstReplacements.push({ file, line, record: toName(items) });
          if (notice !== undefined) note(notice);
        } else
          rejected.push({
            file,
            line,
            reason: cut(outcome.rejected, MAX_REASON_LENGTH),
            raw: cut(raw, MAX_RAW_LENGTH),
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
    report: () => ({
      read: toRead(),
      ...counts,
      ...(rejects && rejectFile ? { rejectFile } : {}),
      firstRejections,
      firstReplacements,
      ...(notices.size > 0 && { notices: [...notices].map(([text, rows]) => ({ text, rows })) }),
    }),
    [Symbol.asyncDispose]: async () => rejects?.close(),
  };
}

/** For people: "read 3 = imported 1 + ...". */
export function toSum(report: ImportReport): string {
  const [read, ...parts] = (["read", "imported", "replaced", "unchanged", "rejected"] as const).map(
    (name) => `${name} ${report[name].toLocaleString("en")}`,
  );
  return `${read} = ${parts.join(" + ")}`;
}

/** For its owner alone, as the archive is, also where the file was there: it has rows as they came. */
async function openForOwner(rejectFile: string): Promise<FileHandle> {
  try {
    const file = await open(rejectFile, "w", OWNER_ONLY);
    if ((await file.stat()).isFile()) await file.chmod(OWNER_ONLY);
    return file;
  } catch (error) {
    throw new ImportError(`the reject file ${rejectFile} ${toSystemFault(error)}`, {
      cause: error,
    });
  }
}

/** Whose place was taken: of a row with several items that of the first. */
function toName([item]: readonly ArchiveItem[]): string {
  if (item === undefined) return "";
  if (item.kind === "user") return `user ${item.record.username}`;
  if (item.kind === "flag") return `flag ${item.record.Id}`;
  const { call_id, datetime } = item.record;
  return `${item.kind} ${call_id}${datetime === null ? "" : ` of ${datetime}`}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}...` : text;
}
