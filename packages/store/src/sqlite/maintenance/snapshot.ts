// A snapshot of a database, taken while others read and write it. It is checked before it gets its name.
import { closeSync, openSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Connection } from "../files/connection.ts";
import { copyPages } from "../files/copy-pages.ts";
import { ArchiveError } from "../files/database.ts";
import { toWriteFailure } from "../files/full-disk.ts";
import { findFaults } from "../files/integrity.ts";
import { openReadOnly } from "./open-archive.ts";
import { beginPart, removeLeftParts } from "./part-file.ts";
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
  await removeLeftParts(dirname(to));
  const part = beginPart(to);
  const { path: temporary } = part;
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
        await part[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    const failure = toWriteFailure(error, to);
    await part[Symbol.asyncDispose]();
    throw failure;
  }
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
