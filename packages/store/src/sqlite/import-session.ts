// An import into SQLite: batches of rows, several of which share a transaction.
import type { DatabaseSync } from "node:sqlite";
import type { ImportSession, LeftRow, Media, MetadataRecord, Outcome } from "../port/index.ts";
import type { Writer } from "../port/access-log.ts";
import {
  createMarker,
  createRowWriter,
  createRunMemory,
  leaveOutMarked,
  listMarksOf,
  toNeeded,
  withDue,
} from "../writing/row-writer.ts";
import { toWholeRow } from "../values/import-policy.ts";
import { createRecordForm, type RecordForm } from "./call-row.ts";
import { createReplacedJudge } from "./holds.ts";
import type { Lifting } from "./maintenance/lifting.ts";
import { inTransaction, writeNothing } from "./files/transaction.ts";
import { countAdded } from "./schema/row-sums.ts";
import { mergeIndex } from "./search/index-merge.ts";
import { readSetting } from "./settings.ts";
import { createTombstones } from "./tombstones.ts";
import { createActSource } from "./writing/acts.ts";
import { createDueRules } from "./writing/due-rules.ts";
import { createCallChanges } from "./writing/call-changes.ts";
import { createTotalsWriter } from "./writing/import-totals.ts";
import { createSliceLoader, type Rows } from "./writing/load-slice.ts";
import { createSliceSaver } from "./writing/save-slice.ts";
import { createSharedTransaction } from "./writing/shared-transaction.ts";

// Larger transactions cost the disk and the search index less for each row. But other writers have to wait, and give up
// after some seconds. One write of a file import has up to 500 rows, or 1 MiB if these are long. This number of
// writes is 40,000 calls, which make a final segment of the index, or 80 MiB.
const MAX_WRITES = 80;
const MAX_MS = 5_000;

// The log is copied into the database at this number of pages, 256 MiB, or at the end. Identifiers of calls come in
// random order, so each transaction changes most pages of the one before.
const LOG_PAGES = 32_768;

// At the end of an import nothing is lost if another import holds the lock for longer.
const END_TIMEOUT_MS = 5_000;

interface Means {
  readonly database: DatabaseSync;
  readonly timeZone: string;
  readonly lock: Disposable;
  readonly restoresErased: boolean;
  /** Updates the ledger; undefined while another archive is migrated into this one, because the migration brings the ledger. */
  readonly lifting: Lifting | undefined;
  readonly writer?: Writer | undefined;
  /** Called before written rows become visible to others. */
  readonly onCommit: () => void;
}

/** A session has its own connection for its transactions. It closes the connection, then releases `lock`. */
export function createImportSession(means: Means): ImportSession {
  const { database, lock } = means;
  database.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  const { leaveOut, listLifted, writeBatch, flush } = createBatchWriter(means);
  const addTotals = createTotalsWriter(database);
  const end = () => {
    means.onCommit();
    flush();
  };
  const limits = { maxWrites: MAX_WRITES, maxMs: MAX_MS };
  const transaction = createSharedTransaction(database, end, limits);
  const write = (rows: Rows, refused: number): Outcome[] => {
    const outcomes = writeBatch(rows);
    addTotals(outcomes, refused);
    return outcomes;
  };

  return {
    leaveOutErased: async (row) => leaveOut(row),
    write: async (rows, refused = 0, hasMore = false) => {
      if (rows.length + refused === 0 && !hasMore) transaction.end();
      if (rows.length + refused === 0) return [];
      const lifted = listLifted(rows);
      if (lifted.every((marks) => marks.length === 0))
        return await transaction.run(hasMore, () => write(rows, refused));
      // This happens before the rows are committed: otherwise a restore of an earlier backup would erase the readmitted calls again.
      return await transaction.runAlone(
        () => write(rows, refused),
        async (outcomes) => {
          const taken = lifted.filter((_, index) => typeof outcomes[index] === "string").flat();
          if (taken.length > 0) await means.lifting?.add(database, [...new Set(taken)]);
        },
      );
    },
    [Symbol.asyncDispose]: async () => {
      try {
        // Not after a fault: rows committed before it stay.
        if (database.isTransaction) transaction.end();
        database.exec(`PRAGMA busy_timeout = ${END_TIMEOUT_MS}`);
        await tryEach([
          () => settle(database),
          () => means.lifting?.end(database),
          () => mergeIndex(database),
          () => checkpoint(database),
        ]);
      } catch {
        // The disk is full. Rows that were committed stay.
      } finally {
        database.close();
        lock[Symbol.dispose]();
      }
    },
  };
}

/**
 * The disk may be full, another import may hold the lock, or the ledger cannot be used: none of these keeps the others from being done. The
 * next import does the rest.
 */
async function tryEach(steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps)
    try {
      await step();
    } catch {
      continue;
    }
}

function createBatchWriter({ database, timeZone, restoresErased, writer }: Means) {
  const toMarks = createMarker({ timeZone, tombstoneKey: readSetting(database, "tombstone_key") });
  const tombstones = createTombstones(database);
  // Nothing is purged while a session is open, so an archive without tombstones gets none meanwhile.
  const hasTombstones = !tombstones.isEmpty();
  tombstones.check();
  const toSought = hasTombstones ? toMarks : () => [];
  const { toRecord, toStored } = createRecordForm(database);
  const form = { toRecord, toStored: remembering(toStored) };
  const changes = createCallChanges(database);
  const act = createActSource(database, writer);
  const loadSlice = createSliceLoader(database, {
    timeZone,
    toMarks: toSought,
    tombstones,
    form,
    act,
    toHoldsJudge: createReplacedJudge(database),
  });
  const added = countAdded(database);
  const { toStored: toText } = form;
  const saveSlice = createSliceSaver(database, { changes, tombstones, toStored: toText, added });
  const due = createDueRules(database, { timeZone, writer });
  const run = { timeZone, toMarks, restoresErased, memory: createRunMemory(), due };
  const leaveOutErased = (row: Rows[number]) =>
    hasTombstones ? leaveOutMarked(row, toMarks, tombstones.find) : toWholeRow(row);
  const leaveOutDue = (row: LeftRow) =>
    due === undefined ? row : withDue(row, due.leaveOut(row.items, due));
  return {
    /** The marks that each row removes. */
    listLifted: (rows: Rows): readonly (readonly string[])[] =>
      restoresErased && hasTombstones
        ? rows.map((row) => {
            const { items } = leaveOutDue(toWholeRow(row));
            return listMarksOf(items, toMarks, tombstones.find);
          })
        : [],
    leaveOut: (row: Rows[number]) =>
      toNeeded(leaveOutErased(row), leaveOutDue, restoresErased ? row : undefined),
    writeBatch: (rows: Rows): Outcome[] => {
      const loaded = loadSlice(rows);
      const { write, leaveOut } = createRowWriter(loaded.slice, run);
      const outcomes = rows.map(write);
      const taken = rows.filter((_, index) => typeof outcomes[index] === "string");
      saveSlice(loaded, listMedia(taken.map(leaveOut)));
      return outcomes;
    },
    flush: () => {
      changes.flush();
      added.flush();
    },
  };
}

const listMedia = (rows: readonly LeftRow[]): Media[] =>
  rows.flatMap(({ items, soundless }) =>
    items.flatMap((item) =>
      item.kind === "call" && !soundless.has(item) ? item.recordings.map(({ media }) => media) : [],
    ),
  );

/** Each record is serialized for the comparison and again for the write; the text is cached. */
function remembering(toStored: RecordForm["toStored"]): RecordForm["toStored"] {
  const known = new WeakMap<MetadataRecord, string>();
  return (record) => {
    const stored = known.get(record) ?? toStored(record);
    known.set(record, stored);
    return stored;
  };
}

// Only the end of an import waits for the disk, so that its report survives a power loss. Waiting after each batch
// would cost more than the rows. In a write-ahead log, a commit that is synced also settles those before it.
function settle(database: DatabaseSync): void {
  database.exec("PRAGMA synchronous = FULL");
  inTransaction(database, () => writeNothing(database));
}

const checkpoint = (database: DatabaseSync) => database.exec("PRAGMA wal_checkpoint");
