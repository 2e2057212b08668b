// A snapshot of a database, taken while others read and write it. It is checked before it gets its name.
import { closeSync, openSync } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Connection } from "../files/connection.ts";
import { copyPages } from "../files/copy-pages.ts";
import { ArchiveError } from "../files/database.ts";
import { toWriteFailure } from "../files/full-disk.ts";
import { findFaults } from "../files/integrity.ts";
import { openReadOnly } from "./open-archive.ts";
import { LEFT_AFTER_MS } from "../../values/stray-media.ts";
import type { OnProgress } from "../../port/maintenance.ts";

/** A copy without its final name. Unless published, it is deleted when disposed. */
export interface Snapshot extends AsyncDisposable {
  /** Open for changes until `close` or `publish`. */
  readonly database: DatabaseSync;
  /** Closes it and returns the file in its final state. */
  close(): string;
  /** Closes it and gives it its final name, replacing any file of that name. */
  publish(): Promise<void>;
}

/** A database that does not have its final name yet. */
export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** Copies the database file `from`, to be named `to`. Throws `ArchiveError` if the copy is damaged, `StoreFault` on a full disk. */
export async function takeSnapshot(
  from: string,
  to: string,
  { step, onProgress }: { readonly step: string; readonly onProgress: OnProgress },
): Promise<Snapshot> {
  const temporary = `${to}.${process.pid}.part`;
  await removeLeftovers(to);
  const remove = () =>
    Promise.all(
      ["", "-journal", "-wal", "-shm"].map((end) => rm(temporary + end, { force: true })),
    );
  try {
    closeSync(openSync(temporary, "wx", 0o600));
    using source = openReadOnly(from);
    await copyPages(source, temporary, (bytesDone, bytesTotal) =>
      onProgress({ step, bytesDone, bytesTotal }),
    );
    const database = openSealed(temporary, from);
    const close = () => {
      if (database.isOpen) database.close();
      return temporary;
    };
    return {
      database,
      close,
      publish: async () => rename(close(), to),
      [Symbol.asyncDispose]: async () => {
        close();
        await remove();
      },
    };
  } catch (error) {
    const failure = toWriteFailure(error, to);
    await remove();
    throw failure;
  }
}

// An interrupted copy is as large as the database.
async function removeLeftovers(to: string): Promise<void> {
  const folder = dirname(to);
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(to)}.`));
  for (const path of names.map((name) => join(folder, name)))
    if (path.includes(".part") && (await isLeft(path))) await rm(path, { force: true });
}

/** True if no process writes to an unfinished file any more. */
async function isLeft(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined); // finished meanwhile
  return found !== undefined && found.mtimeMs <= Date.now() - LEFT_AFTER_MS;
}

// Without a write-ahead log the database is a single file. It can be hashed, moved, and read from a read-only disk.
function openSealed(file: string, from: string): DatabaseSync {
  const database = new Connection(file);
  try {
    database.exec("PRAGMA journal_mode = DELETE");
    const faults = findFaults(database);
    if (faults.length > 0) throw new Error(faults.join("; "));
    return database;
  } catch (error) {
    database.close();
    const fault = error instanceof Error ? error.message : String(error);
    throw new ArchiveError(`what was copied of ${from} is damaged: ${fault}`, { cause: error });
  }
}
