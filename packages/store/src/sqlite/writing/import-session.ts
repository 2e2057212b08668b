// Writing an archive: rows in transactions, each whole or not at all.
import type { DatabaseSync } from "node:sqlite";
import type { ArchiveItem, CallItem, ImportSession, Outcome } from "../../port/index.ts";
import { createCallWriter, type Written } from "./call-writer.ts";
import { createChatWriter } from "./chat-writer.ts";
import { createTotalsWriter } from "./import-totals.ts";
import { inTransaction, writeNothing } from "../files/transaction.ts";
import { createErasedItems } from "./erased-items.ts";
import { mergeIndex } from "../search/index-merge.ts";
import { createPersonWriter } from "./person-writer.ts";
import { RowRejected } from "../../values/row-rejected.ts";
import { createSharedTransaction } from "./shared-transaction.ts";

type Write = (item: ArchiveItem, row: readonly ArchiveItem[]) => Written;

// Larger transactions cost the disk and the search index less for each row. But other writers have to wait, and give up
// after some seconds. A write of an import of files has up to 500 rows, or 1 MiB if these are long. This number of
// writes is 40,000 calls, which make a final segment of the index, or 80 MiB.
const MAX_WRITES = 80;
const MAX_MS = 5_000;

// The log is copied into the database at this number of pages, 256 MiB, or at the end. Identifiers of calls come in
// random order, so that each transaction changes most pages of the one before.
const LOG_PAGES = 32_768;

// At the end of an import nothing is lost when another one has the lock for longer.
const END_TIMEOUT_MS = 5_000;

/**
 * A session has its own connection, for its transactions and its temporary tables. It closes that and then releases
 * `lock`.
 */
export function createImportSession({
  database,
  timeZone,
  lock,
  restoresErased,
  onCommit,
}: {
  readonly database: DatabaseSync;
  readonly timeZone: string;
  readonly lock: Disposable;
  readonly restoresErased: boolean;
  /** Called before what was written becomes visible to others. */
  readonly onCommit: () => void;
}): ImportSession {
  database.exec(`
    PRAGMA wal_autocheckpoint = ${LOG_PAGES};
    CREATE TEMP TABLE seen_chat (id INTEGER PRIMARY KEY);
  `);
  const calls = createCallWriter(database, timeZone);
  const writeChat = createChatWriter(database, timeZone);
  const writePerson = createPersonWriter(database);
  const write: Write = (item, row) => {
    if (item.kind === "call") return calls.write(item, listOthers(item, row));
    if (item.kind !== "chat") return writePerson(item);
    const { call_id } = item.record;
    const written = writeChat(item.record);
    if (written === "imported" && call_id !== null) calls.changes.touch(call_id);
    return written;
  };

  const erased = createErasedItems(database, timeZone);
  const writeWhole = createRowWriter(database, calls, write);
  const writeRow = (row: readonly ArchiveItem[]): Outcome => {
    const left = restoresErased ? row : erased.leaveOut(row);
    if (left.length === 0 && row.length > 0) return "erased";
    const outcome = writeWhole(left);
    if (restoresErased && typeof outcome === "string") erased.forget(row);
    return outcome;
  };
  const addTotals = createTotalsWriter(database);
  const { flush, undo } = calls.changes;
  const transaction = createSharedTransaction(
    database,
    {
      flush: () => {
        onCommit();
        flush();
      },
      undo: () => undo(0),
    },
    { maxWrites: MAX_WRITES, maxMs: MAX_MS },
  );

  return {
    leaveOutErased: async (row) => erased.leaveOut(row),
    write: async (rows, refused = 0, hasMore = false) => {
      if (rows.length + refused === 0 && !hasMore) transaction.end();
      if (rows.length + refused === 0) return [];
      return await transaction.run(hasMore, () => {
        const outcomes = rows.map(writeRow);
        addTotals(outcomes, refused);
        return outcomes;
      });
    },
    [Symbol.asyncDispose]: async () => {
      try {
        transaction.end();
        database.exec(`PRAGMA busy_timeout = ${END_TIMEOUT_MS}`);
        await mergeIndex(database);
        settle(database);
      } catch {
        // A full disk, or another import's lock. Every row is written, and the next import merges what this one has not.
      } finally {
        database.close();
        lock[Symbol.dispose]();
      }
    },
  };
}

// Only the end of an import waits for the disk, so that its report survives a loss of power; waiting after each batch
// would cost more than the rows. In a write-ahead log a commit that is waited for settles those before it.
function settle(database: DatabaseSync): void {
  database.exec("PRAGMA synchronous = FULL");
  inTransaction(database, () => writeNothing(database));
  database.exec("PRAGMA wal_checkpoint");
}

/**
 * Writes a row whole or not at all. A single item is rejected before anything of it is written. So only rows of several
 * need a savepoint, which would cost a plain call a third of its time again.
 */
function createRowWriter(
  database: DatabaseSync,
  calls: ReturnType<typeof createCallWriter>,
  write: Write,
): (items: readonly ArchiveItem[]) => Outcome {
  const begin = database.prepare("SAVEPOINT row");
  const keep = database.prepare("RELEASE row");
  const undo = database.prepare("ROLLBACK TO row");

  const writeSeveral = (items: readonly ArchiveItem[]): Outcome => {
    const mark = calls.changes.mark();
    begin.run();
    const outcome = toOutcome(items, write);
    if (typeof outcome === "object") {
      undo.run();
      calls.changes.undo(mark);
    }
    keep.run();
    return outcome;
  };
  return (items) => (items.length > 1 ? writeSeveral(items) : toOutcome(items, write));
}

function listOthers(item: ArchiveItem, row: readonly ArchiveItem[]): readonly CallItem[] {
  if (row.length === 1) return [];
  return row.filter((other): other is CallItem => other.kind === "call" && other !== item);
}

function toOutcome(items: readonly ArchiveItem[], write: Write): Outcome {
  try {
    const written = new Set(items.map((item) => write(item, items)));
    return (["replaced", "imported"] as const).find((one) => written.has(one)) ?? "unchanged";
  } catch (error) {
    if (error instanceof RowRejected) return { rejected: error.message };
    throw error;
  }
}
