// Taking calls out of an archive for good: records, chats, search terms, and the recordings that no other call has. What
// was cut off is completed by the same command: files are found by the rows that are left of them until they are gone.
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { MEDIA, toMediaPath } from "../media/media-path.ts";
import { openDatabase } from "../sqlite/files/database.ts";
import {
  type Doomed,
  eraseRows,
  forgetFiles,
  listDoomed,
  listUnlinked,
  listUnreferenced,
  readDoomedFiles,
  scrub,
} from "../sqlite/erasure.ts";
import { lockForPurging } from "../sqlite/files/purge-lock.ts";
import { readSetting } from "../sqlite/settings.ts";
import { toBeforeMs } from "../values/days.ts";
import { checkArchive } from "./open-archive.ts";
import type { ErasureFilter, ErasurePlan, OnProgress } from "../port/maintenance.ts";
import { openPurgeRecord } from "./purge-record.ts";
import { findStrayFiles } from "./stray-files.ts";

export type PurgeFilter = ErasureFilter;

export interface PurgeOptions {
  readonly directory: string;
  readonly filter: PurgeFilter;
}

export type PurgePlan = ErasurePlan;

export interface PurgeReport extends PurgePlan {
  /** False while somebody reads an old state of the archive: its log still has what was erased. Purging again ends that. */
  readonly isScrubbed: boolean;
}

/** What `purge` would take. Throws `ArchiveError`, also while an import is under way. */
export async function planPurge(options: PurgeOptions): Promise<PurgePlan> {
  const { directory, filter } = options;
  using archive = open(directory);
  const { counts, unlinked, ofNoRecord } = await list(archive.database, directory, filter);
  using record = openPurgeRecord(archive.database, directory, filter);
  return { ...counts, unlinked, ofNoRecord, takenMs: record.findEarlier(counts) };
}

/**
 * Erases. The service may run meanwhile: a download that has begun ends whole, and what is asked for afterwards is not
 * there. The access log is told first. Throws `ArchiveError`, also while an import or a backup is under way.
 */
export async function purge(
  options: PurgeOptions & { readonly operator: string; readonly onProgress?: OnProgress },
): Promise<PurgeReport> {
  const { directory, filter, operator, onProgress = () => {} } = options;
  using archive = open(directory);
  const { database } = archive;
  const listed = await list(database, directory, filter);
  const { counts, recordBytes, strays, unlinked, ofNoRecord } = listed;
  using record = openPurgeRecord(database, directory, filter);
  const takenMs = record.findEarlier(counts);
  if (counts.calls + counts.chats + counts.files > 0) record.write({ operator, erased: counts });

  const toReporter = (step: string, bytesTotal: number) => {
    let bytesDone = 0;
    return (bytes: number) => onProgress({ step, bytesDone: (bytesDone += bytes), bytesTotal });
  };
  eraseRows(database, toReporter("records", recordBytes));
  const onRemoved = toReporter("recordings", counts.fileBytes);
  for (const { sha256, bytes } of readDoomedFiles(database)) {
    await rm(toMediaPath(join(directory, MEDIA), sha256), { force: true });
    onRemoved(bytes);
  }
  for (const { path, bytes } of strays) {
    await rm(join(directory, path), { force: true });
    onRemoved(bytes);
  }
  forgetFiles(database);
  return { ...counts, unlinked, ofNoRecord, takenMs, isScrubbed: await scrub(database) };
}

function open(directory: string): Disposable & { readonly database: DatabaseSync } {
  checkArchive(directory);
  const lock = lockForPurging(directory);
  try {
    const database = openDatabase(directory);
    const close = () => {
      database.close();
      lock[Symbol.dispose]();
    };
    return { database, [Symbol.dispose]: close };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

// With the lock held no file is on its way into the archive: one that no row names was left behind by an import that was
// cut off, perhaps one of these very calls.
async function list(database: DatabaseSync, directory: string, filter: PurgeFilter) {
  const { recordBytes, ...counts } = listDoomed(database, toDoomed(database, filter));
  const known = database.prepare("SELECT 1 FROM media WHERE sha256 = ?");
  const has = (sha256: string) => known.get(sha256) !== undefined;
  const { unreferenced, leftovers } = await findStrayFiles(directory, { has }, 0);
  const strays = await Promise.all(
    [...unreferenced, ...leftovers].map(async (path) => ({
      path,
      bytes: (await stat(join(directory, path))).size,
    })),
  );
  return {
    recordBytes,
    strays,
    unlinked: listUnlinked(database),
    ofNoRecord: [
      ...listUnreferenced(database).map((sha256) => toMediaPath(MEDIA, sha256)),
      ...strays.map(({ path }) => path),
    ],
    counts: {
      ...counts,
      files: counts.files + strays.length,
      fileBytes: strays.reduce((sum, { bytes }) => sum + bytes, counts.fileBytes),
    },
  };
}

function toDoomed(database: DatabaseSync, filter: PurgeFilter): Doomed {
  if (!("before" in filter)) return filter;
  return { beforeMs: toBeforeMs(filter.before, readSetting(database, "time_zone")) };
}
