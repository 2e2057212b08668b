// A transaction that several writes of an import share. It limits its size, and gives others their turn between two transactions.
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

/** Writes what is due at the end of the transaction, after the rows. */
type Flush = () => void;

export interface SharedTransaction {
  /**
   * Does `write` in the open transaction or in a new one, which then ends unless `hasMore` is true. Throws
   * the errors of `write`, the disk or a lock, including those of earlier writes. Nothing of the transaction is kept then, and all
   * later calls throw the same error.
   */
  run<T>(hasMore: boolean, write: () => T): Promise<T>;
  /** The same, but the transaction ends. It waits for `tell` first, and keeps nothing if that throws. */
  runAlone<T>(write: () => T, tell: (written: T) => Promise<void>): Promise<T>;
  /** Ends the open transaction. Throws its errors, including those of earlier writes. */
  end(): void;
}

// SQLite tries a lock that it waits for every 100 ms (sqliteDefaultBusyCallback), and must find it free at least once.
const FREE_MS = 110;

/** At most `maxWrites` consecutive writes share a transaction, for at most `maxMs`. */
export function createSharedTransaction(
  database: DatabaseSync,
  flush: Flush,
  { maxWrites, maxMs }: { readonly maxWrites: number; readonly maxMs: number },
): SharedTransaction {
  let writes = 0;
  let freeUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let fault: unknown;

  const end = () => {
    clearTimeout(timer);
    if (fault !== undefined) throw fault;
    if (database.isTransaction) commit(database, flush);
  };
  const pause = () => {
    end();
    freeUntilMs = performance.now() + FREE_MS;
  };
  // The next rows may take long: files may have to be copied first.
  const pauseInTime = () => {
    try {
      pause();
    } catch (error) {
      fault = error;
    }
  };
  const begin = async () => {
    if (fault !== undefined) throw fault;
    if (database.isTransaction) return;
    const leftMs = freeUntilMs - performance.now();
    if (leftMs > 0) await wait(leftMs);
    database.exec("BEGIN IMMEDIATE");
    writes = 0;
    timer = setTimeout(pauseInTime, maxMs);
  };

  const undoAll = (error: unknown) => {
    clearTimeout(timer);
    fault ??= error;
    undo(database);
    return error;
  };

  return {
    runAlone: async (write, tell) => {
      await begin();
      clearTimeout(timer);
      try {
        const written = write();
        await tell(written);
        end();
        return written;
      } catch (error) {
        throw undoAll(error);
      }
    },
    run: async (hasMore, write) => {
      await begin();
      try {
        const written = write();
        writes += 1;
        if (!hasMore) end();
        else if (writes >= maxWrites) pause();
        return written;
      } catch (error) {
        throw undoAll(error);
      }
    },
    end,
  };
}

function commit(database: DatabaseSync, flush: Flush): void {
  try {
    flush();
    database.exec("COMMIT");
  } catch (error) {
    undo(database);
    throw error;
  }
}

function undo(database: DatabaseSync): void {
  // On a full disk the transaction has already ended.
  if (database.isTransaction) database.exec("ROLLBACK");
}
