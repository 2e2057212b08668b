// Removes the rows that erasure.ts has listed from archive.db, with their index terms, and leaves their tombstones (D33). It works in
// batches; each is in the ledger before its rows are removed, and leaves a consistent archive.
import type { DatabaseSync } from "node:sqlite";
import type { ErasedCounts } from "../port/access-log.ts";
import { mergeMarks, type StoredMark } from "../values/ledger.ts";
import type { Mark } from "../values/tombstones.ts";
import { prepareBig } from "./files/connection.ts";
import { createSoundEraser } from "./erase-sound.ts";
import { isFull } from "./files/full-disk.ts";
import { endTransaction } from "./files/transaction.ts";
import { EMPTY_LOG } from "./scrub.ts";
import { createTombstones, type RowMarks } from "./tombstones.ts";
import { createCallChanges } from "./writing/call-changes.ts";
import { createVersionEraser } from "./writing/versions.ts";

/** The setting with the newest ledger entry that an archive has applied. */
export const ERASURES = "erasures";

export interface Erasure {
  /** The row of the access log. */
  readonly seq: number | null;
  /** The marks of the rows; undefined if the ledger has them already. */
  readonly marks: RowMarks | undefined;
  /** True if only the recordings of the calls are removed: see erase-sound.ts. */
  readonly isSound: boolean;
  /** Marks in addition to those of the rows; called when the first rows are removed. */
  readonly ownMarks: () => readonly StoredMark[];
  /** Lists again what to erase if the holds have changed since, or if `isAnew`. */
  readonly judgeAgain?: (isAnew: boolean) => Promise<void>;
  /** Writes the next entry of the ledger. */
  readonly note:
    | ((marks: readonly StoredMark[], sounds: readonly string[]) => Promise<void>)
    | undefined;
}

type Erased = Pick<ErasedCounts, "calls" | "chats">;

// A transaction of this size takes a tenth of a second.
const BATCH_ROWS = 2_000;

// Batch sizes for a full disk: a row changes some ten pages, and its own text is overwritten.
const SMALL_BATCHES: readonly number[] = [100, 5, 1];

// After this many pages the log is copied into the database and restarted.
const SMALL_LOG_PAGES = 16;

/**
 * A call is removed whole, with its chat, in one transaction. The holds are checked in it before the ledger says that the call is erased: a
 * hold that is added meanwhile keeps all of the call or nothing.
 * Until the newest entry of the ledger is stored as `ERASURES`, the archive is behind its ledger: store it when the files are gone, too.
 */
export async function eraseRows(
  database: DatabaseSync,
  erasure: Erasure,
  onErased: (bytes: number) => void,
): Promise<Erased> {
  // Erased records are read only once.
  database.exec("PRAGMA cache_size = -32768");
  const gone = { call: 0, chat: 0 };
  const sizes = createSizes(database);
  const noted = new Set<string>();
  const list = createBatchLister(database, erasure.marks);
  let own: readonly StoredMark[] | undefined;
  let isAnew = false;
  for (;;) {
    database.exec("BEGIN IMMEDIATE");
    const batch = await endingOnFault(database, async () => {
      await erasure.judgeAgain?.(isAnew);
      const some = { rows: list(sizes.now()), own: own ?? erasure.ownMarks() };
      await noteNew(database, erasure, { batch: some, noted });
      return some;
    });
    try {
      const bytes = endTransaction(database, () =>
        eraseBatch(database, batch, { ...erasure, merges: sizes.isFirst() }),
      );
      if (isEmpty(batch)) return { calls: gone.call, chats: gone.chat };
      onErased(bytes);
      for (const { kind } of batch.rows) gone[kind] += 1;
      own = [];
      isAnew = false;
    } catch (error) {
      sizes.shrink(error);
      // The rollback has also undone what was listed in the transaction.
      isAnew = true;
    }
  }
}

/** The number of rows of a batch, which shrinks on a full disk. */
function createSizes(database: DatabaseSync) {
  const [...smaller] = SMALL_BATCHES;
  let size = BATCH_ROWS;
  return {
    now: () => size,
    isFirst: () => size === BATCH_ROWS,
    /** Throws the error if it is another one, or if no batch is smaller. */
    shrink: (error: unknown): void => {
      const next = smaller.shift();
      if (next === undefined || !isFull(error)) throw error;
      size = next;
      database.exec(`PRAGMA wal_autocheckpoint = ${SMALL_LOG_PAGES}; ${EMPTY_LOG}`);
    },
  };
}

const isEmpty = ({ rows, own }: Batch) => rows.length + own.length === 0;

async function endingOnFault<T>(database: DatabaseSync, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

interface DoomedRow {
  readonly kind: "call" | "chat";
  readonly id: bigint;
  readonly bytes: bigint;
  readonly callId: string | null;
  readonly marks: readonly Mark[];
}

/**
 * Returns a function that lists about this many of the remaining rows, but never only a part of a call: the mark of a call says that all of
 * it is gone. The chat comes before its call, and messages that belong to no record come last.
 */
function createBatchLister(
  database: DatabaseSync,
  marks: RowMarks | undefined,
): (size: number) => readonly DoomedRow[] {
  const select = (kind: DoomedRow["kind"], rest: string) =>
    prepareBig<Omit<DoomedRow, "marks">>(
      database,
      `SELECT '${kind}' AS kind, id, length(record) AS bytes, call_id AS callId FROM ${kind} JOIN doomed_${kind} USING (id) ${rest}`,
    );
  const calls = select("call", "LIMIT ?");
  const messages = select("chat", "LIMIT ?");
  const legs = select("call", "WHERE call_id = ?");
  const chat = select("chat", "WHERE call_id = ?");
  const toMarks = ({ kind, id }: Omit<DoomedRow, "marks">) =>
    (kind === "call" ? marks?.ofCall(id) : marks?.ofMessage(id)) ?? [];
  return (size) => {
    const first = calls.all(size);
    const rows: DoomedRow[] = [];
    const taken = new Set<string>();
    for (const row of first.length > 0 ? first : messages.all(size)) {
      const { callId } = row;
      if (callId !== null && taken.has(callId)) continue;
      if (callId !== null) taken.add(callId);
      const whole = callId === null ? [row] : [...chat.all(callId), ...legs.all(callId)];
      for (const one of whole) rows.push({ ...one, marks: toMarks(one) });
      if (rows.length >= size) break;
    }
    return rows;
  };
}

interface Batch {
  readonly rows: readonly DoomedRow[];
  /** Marks beyond those of the rows. */
  readonly own: readonly StoredMark[];
}

interface Noting {
  readonly batch: Batch;
  /** The marks that the ledger has already: on a full disk the rows of one entry are removed in smaller batches. */
  readonly noted: Set<string>;
}

async function noteNew(
  database: DatabaseSync,
  erasure: Erasure,
  { batch, noted }: Noting,
): Promise<void> {
  const toKey = ({ kind, id }: DoomedRow) => `${kind} ${id}`;
  const rows = batch.rows.filter((row) => !noted.has(toKey(row)));
  const own = noted.size === 0 ? batch.own : [];
  if (isEmpty({ rows, own })) return;
  await note(database, erasure, { rows, own });
  noted.clear();
  for (const row of batch.rows) noted.add(toKey(row));
}

async function note(database: DatabaseSync, erasure: Erasure, { rows, own }: Batch): Promise<void> {
  if (erasure.note === undefined) return;
  const { toStored } = createTombstones(database);
  const marks = [...own, ...rows.flatMap((row) => row.marks.map(toStored))];
  const calls = rows.filter(({ kind }) => kind === "call");
  await erasure.note(mergeMarks(marks), listSounds(database, calls));
}

/** The contents of these calls, and of their earlier states, that no other call has. */
function listSounds(database: DatabaseSync, rows: readonly DoomedRow[]): readonly string[] {
  const select = database.prepare(
    `SELECT sha256 FROM doomed_file WHERE path IS NULL AND sha256 IN (
       SELECT sha256 FROM recording WHERE call = :id UNION ALL SELECT sha256 FROM version_recording
         JOIN version ON version.id = version_recording.version WHERE kind = 'call' AND name = :callId)`,
  );
  const found = rows.flatMap(({ id, callId }) => select.all({ id, callId }));
  return [...new Set(found.map(({ sha256 }) => String(sha256)))];
}

interface Erasing extends Pick<Erasure, "seq" | "isSound"> {
  /** True if the index may write more than it has to. */
  readonly merges: boolean;
}

/** Called in a transaction. Returns the length of the records. */
function eraseBatch(database: DatabaseSync, batch: Batch, erasing: Erasing): number {
  const { rows, own } = batch;
  const tombstones = createTombstones(database);
  // What is not there any more was removed by an earlier erasure, which its mark names.
  for (const mark of own) tombstones.keep(mark, erasing.seq);
  for (const mark of rows.flatMap(({ marks }) => marks.map(tombstones.toStored)))
    tombstones.add(mark, erasing.seq);
  if (erasing.isSound) createSoundEraser(database)(rows);
  else removeRows(database, rows, erasing.merges);
  return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

/** `merges`: see `Erasing`. */
function removeRows(database: DatabaseSync, rows: readonly DoomedRow[], merges: boolean): void {
  const changes = createCallChanges(database);
  const eraseVersions = createVersionEraser(database);
  const remove = {
    call: database.prepare("DELETE FROM call WHERE id = ?"),
    chat: database.prepare("DELETE FROM chat WHERE id = ?"),
  };
  const talked = new Set<string>();
  for (const row of rows) {
    if (row.kind === "call") {
      eraseVersions(row.id);
      changes.remove(row.id);
    }
    // Until its call is removed, too, the index has to match what is left of it.
    else if (row.callId !== null && !talked.has(row.callId)) changes.removeChat(row.callId);
    if (row.callId !== null) talked.add(row.callId);
    remove[row.kind].run(row.id);
  }
  changes.flush(merges);
}
