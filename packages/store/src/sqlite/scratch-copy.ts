// A temporary copy of an archive's records, for a dry run.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallStore } from "../port/index.ts";
import { createHashingStore, createMediaFolder } from "../media/media-folder.ts";
import { MEDIA } from "../media/media-path.ts";
import { checkTimeZone, type NewArchiveOptions, openArchive, settleTimeZone } from "./archive.ts";
import { Connection } from "./files/connection.ts";
import { copyPages, type OnCopied } from "./files/copy-pages.ts";
import {
  ArchiveError,
  checkNoBackup,
  checkNotLost,
  DATABASE,
  openDatabase,
} from "./files/database.ts";
import { isOfFullDisk } from "./files/full-disk.ts";
import { countRows } from "./schema/row-sums.ts";

/**
 * A copy of the archive's records in a temporary directory, for a dry run. The imported records are dropped when it is
 * closed; recordings are only hashed. Sign-ins and searches of the archive itself continue meanwhile. When `signal` is
 * aborted, the copy is removed immediately and can no longer be used.
 */
export async function openScratchCopy(
  options: NewArchiveOptions & {
    readonly signal?: AbortSignal | undefined;
    /** Called now and then with the amount of records copied: 2 GB take some ten seconds. */
    readonly onCopied?: OnCopied | undefined;
  },
): Promise<CallStore> {
  // Rejected for the same reasons as the import.
  checkNoBackup(options.directory);
  checkNotLost(options.directory);
  checkTimeZone(options.timeZone);
  // Synchronously: a signal between the two calls would leave the directory behind.
  const directory = mkdtempSync(join(tmpdir(), "call-media-dry-run-"));
  const forget = () => removeWhole(directory);
  options.signal?.addEventListener("abort", forget);
  try {
    const original = join(options.directory, DATABASE);
    if (existsSync(original)) {
      await copyRecords(original, join(directory, DATABASE), options.onCopied);
      forgetAccess(directory);
    }
    prepare(directory, options);
    const { media = createMediaFolder(join(options.directory, MEDIA)) } = options;
    const store = openArchive({ ...options, directory, media: createHashingStore(media) });
    // The place of the recordings is the archive's own. The copy does not know about the archive's imports, so it must not discard
    // anything.
    const maintenance = { ...store.maintenance, discard: async () => {} };
    const close = () => store[Symbol.asyncDispose]().finally(forget);
    return { ...store, maintenance, [Symbol.asyncDispose]: close };
  } catch (error) {
    const failure = isOfFullDisk(error, join(directory, DATABASE)) ? toNoRoom(error) : error;
    forget();
    throw failure;
  }
}

// The archive may not exist.
function prepare(directory: string, { timeZone }: NewArchiveOptions): void {
  using database = openDatabase(directory);
  settleTimeZone(database, timeZone);
}

const REMOVALS = 1_000;

// Node.js 24 mistakes a file that disappears meanwhile, such as SQLite's journal in another thread, for the missing directory.
function removeWhole(directory: string): void {
  for (let removals = 0; existsSync(directory) && removals < REMOVALS; removals += 1)
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

function toNoRoom(cause: unknown): ArchiveError {
  return new ArchiveError(
    `a dry run needs room for a copy of the records, which ${tmpdir()} has not: make room there, or set TMPDIR to a folder of another disk`,
    { cause },
  );
}

async function copyRecords(from: string, to: string, onCopied?: OnCopied): Promise<void> {
  using source = new Connection(from);
  await copyPages(source, to, onCopied);
}

// The copy gets its own credentials, access log and ledger, which stay empty.
function forgetAccess(directory: string): void {
  using copy = new Connection(join(directory, DATABASE));
  countRows(copy, ["setting"]);
  copy.exec("DELETE FROM setting WHERE name IN ('access_id', 'access_head', 'erasures')");
}
