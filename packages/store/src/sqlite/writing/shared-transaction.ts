// A transaction that several writes of an import share: how long it may grow, and that others get their turn between two.
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

/** Writes what is written at the end of the transaction, after the rows. */
type Flush = () => void;

export interface SharedTransaction {
  /**
   * Does `write` in the transaction that is open or in a new one. It ends with that unless more writes are to follow. Throws
   * what `write`, the disk or a lock throws, also of the writes before; then nothing of the transaction is kept, and all
   * that follow throw the same.
   */
  run<T>(hasMore: boolean, write: () => T): Promise<T>;
  /** The same, but it ends with that, and before it ends `tell` is waited for: nothing is kept if that throws. */
  runAlone<T>(write: () => T, tell: (written: T) => Promise<void>): Promise<T>;
  /** Ends what is open. Throws what went wrong, also with the writes before. */
  end(): void;
}

// SQLite looks for a lock that it waits for every 100 ms (sqliteDefaultBusyCallback), and has to find it free for once.
const FREE_MS = 110;

/** At most `maxWrites` consecutive writes share one, and no writes of more than `maxMs`. */
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
  // The next rows may be long in coming: files may have to be copied first.
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
  // A full disk has ended the transaction already.
  if (database.isTransaction) database.exec("ROLLBACK");
}
