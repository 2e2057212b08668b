// An archive in a folder: archive.db (SQLite) for the records, access.db for credentials and the access log, media/ for the
// recordings.
import { existsSync, lstatSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { CallStore } from "../call-store.ts";
import { createMediaFiles, MEDIA } from "../media/media-files.ts";
import { isTimeZone } from "../values/instant.ts";
import { createAccessLog } from "./access/access-log.ts";
import { openAccessOf } from "./access/access-pairing.ts";
import { createAccessQueue } from "./access/access-queue.ts";
import { createAccessWriter } from "./access/access-writer.ts";
import { createRecordForm } from "./call-row.ts";
import { Connection } from "./files/connection.ts";
import { copyPages, type OnCopied } from "./files/copy-pages.ts";
import { createCalls } from "./look-ups/calls.ts";
import { createCredentials } from "./access/credentials.ts";
import {
  ACCESS_DATABASE,
  ArchiveError,
  checkNotLost,
  DATABASE,
  hasArchive,
  openDatabase,
  toArchiveError,
} from "./files/database.ts";
import { isOfFullDisk } from "./files/full-disk.ts";
import { createImportSession } from "./writing/import-session.ts";
import { createTotalsReader } from "./writing/import-totals.ts";
import type { OnUpgrade } from "./schema/migrations.ts";
import { createPlaceCheck } from "./files/place-check.ts";
import { keepFromPurging } from "./files/purge-lock.ts";
import { createQuickSearch } from "./search/quick-search.ts";
import { createSearchThreads } from "./search/search-threads.ts";
import { createUsers } from "./users.ts";

export type { OnCopied } from "./files/copy-pages.ts";
export { ArchiveError } from "./files/database.ts";
export type { OnUpgrade } from "./schema/migrations.ts";

export interface ArchiveOptions {
  /** The folder of the archive. */
  readonly directory: string;
  /** The clock, ms since 1970; for tests. */
  readonly now?: () => number;
  /** Told as an archive of an earlier version is brought up to date, which takes some minutes for millions of calls. */
  readonly onUpgrade?: OnUpgrade;
}

/** Whether the folder has an archive, or what is left of one. */
export function isArchive(directory: string): boolean {
  return [DATABASE, ACCESS_DATABASE].some((name) => existsSync(join(directory, name)));
}

/** Opens an archive that exists. Throws `ArchiveError` when the folder has none, has lost it, or has none that can be read. */
export async function openStore(options: ArchiveOptions): Promise<CallStore> {
  const { directory } = options;
  checkNotLost(directory);
  if (!existsSync(join(directory, DATABASE)))
    throw new ArchiveError(`there is no archive in ${directory}: make one with "import" or "demo"`);
  if (!hasArchive(directory))
    throw new ArchiveError(`${join(directory, DATABASE)} is empty: restore it from a backup`);
  try {
    return openArchive(options, createMediaFiles(join(directory, MEDIA)));
  } catch (error) {
    // What is read once the databases are open may be damaged, too.
    const isOfSqlite = error instanceof Error && "errcode" in error;
    throw isOfSqlite ? toArchiveError(join(directory, DATABASE), error) : error;
  }
}

/**
 * Opens the archive of the folder, or makes an empty one there. The time zone of a new archive is `timeZone`, default
 * UTC, and stays (D03). Throws `ArchiveError` for a time zone that does not exist, and where the archive is lost but for its
 * credentials.
 */
export async function createStore(
  options: ArchiveOptions & { readonly timeZone?: string | undefined },
): Promise<CallStore> {
  const { directory, timeZone } = options;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new ArchiveError(
      `"${timeZone}" is not a time zone: give an IANA name such as Europe/London`,
    );
  await makeFolders(directory);
  using database = openDatabase(directory, options.onUpgrade);
  settleTimeZone(database, options.timeZone);
  return openStore(options);
}

async function makeFolders(directory: string): Promise<void> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new ArchiveError(`${directory} is no folder, which an archive is`);
  const folder = join(directory, MEDIA);
  // A link to a disk that is not mounted is no folder, and none can be made in its place.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(folder))
    throw new ArchiveError(
      `${folder} is a link to what cannot be reached: mount the disk that it lies on`,
    );
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/**
 * A copy of the archive's records in a temporary folder, for a dry run: what is imported into it is forgotten when it is
 * closed, recordings are only hashed. Sign-ins and searches of the archive itself go on meanwhile. When `signal` is aborted the copy
 * is removed at once, and cannot be used any more.
 */
export async function openScratchCopy(
  options: ArchiveOptions & {
    readonly timeZone?: string | undefined;
    readonly signal?: AbortSignal | undefined;
    /** Told now and then how much of the records is copied: 2 GB take some ten seconds. */
    readonly onCopied?: OnCopied | undefined;
  },
): Promise<CallStore> {
  checkNotLost(options.directory);
  // At once: between the two a signal would leave it behind.
  const directory = mkdtempSync(join(tmpdir(), "call-media-dry-run-"));
  const forget = () => removeWhole(directory);
  options.signal?.addEventListener("abort", forget);
  try {
    const original = join(options.directory, DATABASE);
    if (existsSync(original)) {
      await copyRecords(original, join(directory, DATABASE), options.onCopied);
      forgetAccess(directory);
    }
    await (await createStore({ ...options, directory }))[Symbol.asyncDispose]();
    const store = openArchive({ ...options, directory }, createMediaFiles(undefined));
    return { ...store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]().finally(forget) };
  } catch (error) {
    const failure = isOfFullDisk(error, join(directory, DATABASE)) ? toNoRoom(error) : error;
    forget();
    throw failure;
  }
}

const REMOVALS = 1_000;

// Node.js 24 takes a file that goes away meanwhile, as SQLite's journal does in another thread, for the folder that has gone.
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

// The copy gets credentials and an access log of its own: both stay empty.
function forgetAccess(directory: string): void {
  using copy = new Connection(join(directory, DATABASE));
  copy.exec("DELETE FROM setting WHERE name = 'access_id'");
}

// The first that is given stays: once there are calls, their days depend on it.
function settleTimeZone(database: DatabaseSync, timeZone: string | undefined): void {
  database.prepare("INSERT OR IGNORE INTO setting (name, value) VALUES ('time_zone', 'UTC')").run();
  if (timeZone === undefined) return;
  database
    .prepare(
      `UPDATE setting SET value = ? WHERE name = 'time_zone'
       AND NOT EXISTS (SELECT 1 FROM call) AND NOT EXISTS (SELECT 1 FROM chat)`,
    )
    .run(timeZone);
}

function openArchive(options: ArchiveOptions, media: CallStore["media"]): CallStore {
  const { directory, now = Date.now, onUpgrade } = options;
  const archive = openDatabase(directory, onUpgrade);
  const access = openAccessOf(archive, directory);
  const files = [DATABASE, ACCESS_DATABASE].map((name) => join(directory, name));
  const checkPlaces = createPlaceCheck(files);
  const writer = createAccessWriter(directory);
  const queue = createAccessQueue(writer);
  const readTotals = createTotalsReader(archive);
  const timeZone = String(
    archive.prepare("SELECT value FROM setting WHERE name = 'time_zone'").get()?.["value"],
  );
  const form = createRecordForm(archive);
  const searches = createSearchThreads({ directory, timeZone, form });
  const searchQuickly = createQuickSearch({ database: archive, timeZone, form });
  return {
    timeZone,
    calls: createCalls(
      archive,
      form,
      async (search) => searchQuickly(search) ?? (await searches.search(search)),
    ),
    users: createUsers(archive),
    credentials: createCredentials({ archive, access, writer, now }),
    accessLog: createAccessLog(access, { queue, checkPlaces }),
    media,
    openImport: async () => {
      const lock = keepFromPurging(directory);
      try {
        return createImportSession({ database: openDatabase(directory), timeZone, lock });
      } catch (error) {
        lock[Symbol.dispose]();
        throw error;
      }
    },
    importedRows: async () => readTotals(),
    [Symbol.asyncDispose]: async () => {
      try {
        await queue.close();
      } finally {
        await Promise.all([writer.close(), searches.close()]);
        access.close();
        archive.close();
      }
    },
  };
}
