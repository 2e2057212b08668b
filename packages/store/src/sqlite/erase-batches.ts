// Takes the rows that erasure.ts has listed out of archive.db, with their index terms, and leaves their tombstones (D33): in batches, of
// which each is in the ledger before its rows go, and leaves a consistent archive.
import type { DatabaseSync } from "node:sqlite";
import type { ErasedCounts } from "../port/access-log.ts";
import type { LedgerHead } from "../port/ledger.ts";
import { mergeMarks, type StoredMark } from "../values/ledger.ts";
import type { Mark } from "../values/tombstones.ts";
import { EMPTY_LOG } from "./erasure.ts";
import { prepareBig } from "./files/connection.ts";
import { isFull } from "./files/full-disk.ts";
import { endTransaction } from "./files/transaction.ts";
import { createTombstones, type RowMarks } from "./tombstones.ts";
import { createCallChanges } from "./writing/call-changes.ts";
import { createVersionEraser } from "./writing/versions.ts";

/** The setting that says how far an archive has come in its ledger. */
export const ERASURES = "erasures";

export interface Erasure {
  /** The row of the access log. */
  readonly seq: number | null;
  /** Of the rows; undefined where the ledger has them already. */
  readonly marks: RowMarks | undefined;
  /** Beyond those of rows; asked for when the first of these go. */
  readonly ownMarks: () => readonly Mark[];
  /** Lists anew what goes, if the holds have changed since. */
  readonly judgeAgain?: () => void;
  /** Writes the next entry of the ledger. */
  readonly note:
    | ((marks: readonly StoredMark[], sounds: readonly string[]) => Promise<LedgerHead>)
    | undefined;
}

interface Erased extends Pick<ErasedCounts, "calls" | "chats"> {
  /** The newest entry of the ledger, if there is a new one. */
  readonly head: LedgerHead | undefined;
}

// A transaction of this size takes a tenth of a second.
const BATCH_ROWS = 2_000;

// What they need of a full disk: a row changes some ten pages, and its own text is overwritten.
const SMALL_BATCHES: readonly number[] = [100, 5, 1];

// The log is copied into the database after so many pages, and begun anew then.
const SMALL_LOG_PAGES = 16;

/**
 * A call goes together with its chat, before which nothing of it is gone: a hold that comes meanwhile has all of it. Returns the newest entry of the ledger, if there
 * is a new one: to be kept as `ERASURES` when the files are gone, too. Until then the archive is behind its ledger.
 */
export async function eraseRows(
  database: DatabaseSync,
  erasure: Erasure,
  onErased: (bytes: number) => void,
): Promise<Erased> {
  // Erased records are read only once.
  database.exec("PRAGMA cache_size = -32768");
  const [...sizes] = SMALL_BATCHES;
  let size = BATCH_ROWS;
  const shrink = (error: unknown): void => {
    const smaller = sizes.shift();
    if (smaller === undefined || !isFull(error)) throw error;
    size = smaller;
    database.exec(`PRAGMA wal_autocheckpoint = ${SMALL_LOG_PAGES}; ${EMPTY_LOG}`);
  };
  const gone = { call: 0, chat: 0 };
  let own: readonly Mark[] | undefined;
  let head: LedgerHead | undefined;
  const list = createBatchLister(database, erasure.marks);
  for (;;) {
    // Until the rows are gone nobody adds a hold: it is judged before the ledger says that they go.
    database.exec("BEGIN IMMEDIATE");
    const batch = await endingOnFault(database, async () => {
      erasure.judgeAgain?.();
      const some = { rows: list(), own: own ?? erasure.ownMarks() };
      if (!isEmpty(some)) head = await note(database, erasure, some);
      return { ...some, seq: erasure.seq };
    });
    const { rows } = batch;
    if (isEmpty(batch)) {
      database.exec("COMMIT");
      return { head, calls: gone.call, chats: gone.chat };
    }
    let erase = createBatchEraser(database, batch);
    let at = 0;
    do
      try {
        onErased(erase(at, at + size, size === BATCH_ROWS));
        at += size;
      } catch (error) {
        shrink(error);
        erase = createBatchEraser(database, batch);
      }
    while (at < rows.length);
    for (const { kind } of rows) gone[kind] += 1;
    own = [];
  }
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
 * A function that lists some of the rows that are left, of a call all: the mark of one that is parted says that all of it is gone. The
 * chat comes before its call, and messages of no call at the end.
 */
function createBatchLister(
  database: DatabaseSync,
  marks: RowMarks | undefined,
): () => readonly DoomedRow[] {
  const select = (kind: DoomedRow["kind"], rest: string) =>
    prepareBig<Omit<DoomedRow, "marks">>(
      database,
      `SELECT '${kind}' AS kind, id, length(record) AS bytes, call_id AS callId FROM ${kind} JOIN doomed_${kind} USING (id) ${rest}`,
    );
  const some = select("call", `LIMIT ${BATCH_ROWS}`);
  const legs = select("call", "WHERE call_id = ?");
  const chat = select("chat", "WHERE call_id = ?");
  const messages = select("chat", `LIMIT ${BATCH_ROWS}`);
  return () => {
    const calls = new Map(some.all().map((row) => [row.id, row]));
    const callIds = new Set([...calls.values()].flatMap(({ callId }) => callId ?? []));
    for (const callId of callIds) for (const leg of legs.all(callId)) calls.set(leg.id, leg);
    const talked = [...callIds].flatMap((callId) => chat.all(callId));
    const rows = calls.size === 0 ? messages.all() : [...talked, ...calls.values()];
    return rows.map((row) => ({
      ...row,
      marks: (row.kind === "call" ? marks?.ofCall(row.id) : marks?.ofMessage(row.id)) ?? [],
    }));
  };
}

interface Batch {
  readonly rows: readonly DoomedRow[];
  /** Marks beyond those of the rows. */
  readonly own: readonly Mark[];
}

async function note(
  database: DatabaseSync,
  erasure: Erasure,
  { rows, own }: Batch,
): Promise<LedgerHead | undefined> {
  if (erasure.note === undefined) return undefined;
  const { toStored } = createTombstones(database);
  const marks = [...own, ...rows.flatMap((row) => row.marks)].map(toStored);
  const calls = rows.filter(({ kind }) => kind === "call");
  return await erasure.note(mergeMarks(marks), listSounds(database, calls));
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

interface NotedBatch extends Batch {
  readonly seq: number | null;
}

/** A function that erases the rows from one place in the batch up to another, without it, and gives their length. */
function createBatchEraser(database: DatabaseSync, { rows, own, seq }: NotedBatch) {
  const tombstones = createTombstones(database);
  const changes = createCallChanges(database);
  const remove = {
    call: database.prepare("DELETE FROM call WHERE id = ?"),
    chat: database.prepare("DELETE FROM chat WHERE id = ?"),
  };
  const add = (marks: readonly Mark[]) => {
    for (const mark of marks) tombstones.add(tombstones.toStored(mark), seq);
  };
  const eraseSome = (from: number, until: number, merges: boolean): number => {
    let bytes = 0;
    if (from === 0) add(own);
    const eraseVersions = createVersionEraser(database);
    const talked = new Set<string>();
    for (const row of rows.slice(from, until)) {
      add(row.marks);
      if (row.kind === "call") {
        eraseVersions(row.id);
        changes.remove(row.id);
      }
      // Until its call goes, too, the index has to fit what is left of it.
      else if (row.callId !== null && !talked.has(row.callId)) changes.removeChat(row.callId);
      if (row.callId !== null) talked.add(row.callId);
      remove[row.kind].run(row.id);
      bytes += Number(row.bytes);
    }
    changes.flush(merges);
    return bytes;
  };
  return (from: number, until: number, merges: boolean): number =>
    endTransaction(database, () => eraseSome(from, until, merges));
}
