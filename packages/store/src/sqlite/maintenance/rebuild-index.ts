// Rebuilds the search index from the records. This repairs a damaged index, and nothing else in the archive.
import { setImmediate } from "node:timers/promises";
import type { DatabaseSync } from "node:sqlite";
import { createRecordForm } from "../call-row.ts";
import { ArchiveError, isBackup, openDatabase } from "../files/database.ts";
import { listDamaged } from "../row-check.ts";
import { indexCalls } from "../writing/index-calls.ts";
import { lockForPurging } from "../files/purge-lock.ts";
import { checkArchive } from "./open-archive.ts";
import type { OnProgress } from "../../port/maintenance.ts";

/**
 * One transaction: until it ends, and after an interruption, the service searches the previous index.
 * Returns the number of calls. Throws `ArchiveError` for a backup, during an import, a backup or a purge, and
 * if a record is damaged.
 */
export async function rebuildIndex(
  directory: string,
  onProgress: OnProgress = () => {},
): Promise<number> {
  checkArchive(directory);
  if (isBackup(directory))
    throw new ArchiveError(`${directory} is a backup: make it again instead`);
  const lock = lockForPurging(directory);
  try {
    return await rebuild(directory, onProgress);
  } finally {
    lock[Symbol.dispose]();
  }
}

async function rebuild(directory: string, onProgress: OnProgress): Promise<number> {
  using database = openDatabase(directory);
  database.exec("BEGIN IMMEDIATE");
  try {
    const calls = await indexAll(database, onProgress);
    database.exec("COMMIT");
    return calls;
  } catch (fault) {
    // On a full disk the transaction has already ended.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw fault;
  }
}

async function indexAll(database: DatabaseSync, onProgress: OnProgress): Promise<number> {
  // A damaged record would be found by wrong values, and by callers who may not see it.
  for (const { table, name } of listDamaged(database))
    if (table === "call" || table === "chat")
      throw new ArchiveError(
        `${name} is not what was imported, and no index is made of it: restore the last backup into another folder, or purge the call`,
      );
  const { toRecord } = createRecordForm(database);
  const bytesTotal = countBytes(database);
  let [calls, bytesDone] = [0, 0];
  for (const rows of indexCalls(database, toRecord)) {
    for (const { record } of rows) bytesDone += record.length;
    calls += rows.length;
    if (bytesTotal > 0) onProgress({ step: "search index", bytesDone, bytesTotal });
    await setImmediate(); // for the display of progress
  }
  return calls;
}

function countBytes(database: DatabaseSync): number {
  return Number(database.prepare("SELECT total(length(record)) AS n FROM call").get()?.["n"]);
}
