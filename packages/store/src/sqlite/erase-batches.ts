// Takes the rows that erasure.ts has listed out of archive.db, with their index terms, and leaves their tombstones (D33): in batches, of
// which each is in the ledger before its rows go, and leaves a consistent archive.
import type { DatabaseSync } from "node:sqlite";
import type { LedgerHead } from "../port/ledger.ts";
import { mergeMarks, type StoredMark } from "../values/ledger.ts";
import type { Mark } from "../values/tombstones.ts";
import { EMPTY_LOG } from "./erasure.ts";
import { prepareBig } from "./files/connection.ts";
import { isFull } from "./files/full-disk.ts";
import { inTransaction } from "./files/transaction.ts";
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
  /** Beyond those of rows. */
  readonly ownMarks: readonly Mark[];
  /** Writes the next entry of the ledger. */
  readonly note:
    | ((marks: readonly StoredMark[], sounds: readonly string[]) => Promise<LedgerHead>)
    | undefined;
}

// A transaction of this size takes a tenth of a second.
const BATCH_ROWS = 2_000;

// What they need of a full disk: a row changes some ten pages, and its own text is overwritten.
const SMALL_BATCHES: readonly number[] = [100, 5, 1];

// The log is copied into the database after so many pages, and begun anew then.
const SMALL_LOG_PAGES = 16;

/**
 * Chats go first: once its call is gone, nothing would tell that a chat belongs to it. Returns the newest entry of the ledger, if there
 * is a new one: to be kept as `ERASURES` when the files are gone, too. Until then the archive is behind its ledger.
 */
export async function eraseRows(
  database: DatabaseSync,
  erasure: Erasure,
  onErased: (bytes: number) => void,
): Promise<LedgerHead | undefined> {
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
  let own = erasure.ownMarks;
  let head: LedgerHead | undefined;
  for (const kind of KINDS) {
    const list = createBatchLister(database, kind, erasure.marks);
    for (let rows = list(); rows.length > 0; rows = list()) {
      head = await note(database, erasure, { kind, rows, own });
      const batch = { kind, rows, own, seq: erasure.seq };
      let erase = createBatchEraser(database, batch);
      for (let at = 0; at < rows.length;)
        try {
          onErased(erase(at, at + size, size === BATCH_ROWS));
          at += size;
        } catch (error) {
          shrink(error);
          erase = createBatchEraser(database, batch);
        }
      own = [];
    }
  }
  return head;
}

const KINDS = ["chat", "call"] as const;

interface DoomedRow {
  readonly id: bigint;
  readonly bytes: bigint;
  readonly callId: string | null;
  readonly marks: readonly Mark[];
}

/** A function that lists some of the rows that are left, of a call all: the mark of one that is parted says that all of it is gone. */
function createBatchLister(
  database: DatabaseSync,
  kind: (typeof KINDS)[number],
  marks: RowMarks | undefined,
): () => readonly DoomedRow[] {
  type Row = Omit<DoomedRow, "marks">;
  const select = `SELECT id, length(record) AS bytes, call_id AS callId FROM ${kind} JOIN doomed_${kind} USING (id)`;
  const some = prepareBig<Row>(database, `${select} LIMIT ${BATCH_ROWS}`);
  const legs = prepareBig<Row>(database, `${select} WHERE call_id = ?`);
  const listMarks = (id: bigint) =>
    (kind === "call" ? marks?.ofCall(id) : marks?.ofMessage(id)) ?? [];
  return () => {
    const found = new Map(some.all().map((row) => [row.id, row]));
    const callIds = new Set([...found.values()].map(({ callId }) => callId));
    for (const callId of kind === "call" ? callIds : [])
      if (callId !== null) for (const leg of legs.all(callId)) found.set(leg.id, leg);
    return [...found.values()].map((row) => ({ ...row, marks: listMarks(row.id) }));
  };
}

interface Batch {
  readonly kind: (typeof KINDS)[number];
  readonly rows: readonly DoomedRow[];
  /** Marks beyond those of the rows. */
  readonly own: readonly Mark[];
}

async function note(
  database: DatabaseSync,
  erasure: Erasure,
  { kind, rows, own }: Batch,
): Promise<LedgerHead | undefined> {
  if (erasure.note === undefined) return undefined;
  const { toStored } = createTombstones(database);
  const marks = [...own, ...rows.flatMap((row) => row.marks)].map(toStored);
  const sounds = kind === "call" ? listSounds(database, rows) : [];
  return await erasure.note(mergeMarks(marks), sounds);
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
function createBatchEraser(database: DatabaseSync, { kind, rows, own, seq }: NotedBatch) {
  const tombstones = createTombstones(database);
  const changes = createCallChanges(database);
  const remove = database.prepare(`DELETE FROM ${kind} WHERE id = ?`);
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
      if (kind === "call") {
        eraseVersions(row.id);
        changes.remove(row.id);
      }
      // Until its call goes, too, the index has to fit what is left of it.
      else if (row.callId !== null && !talked.has(row.callId)) changes.removeChat(row.callId);
      if (row.callId !== null) talked.add(row.callId);
      remove.run(row.id);
      bytes += Number(row.bytes);
    }
    changes.flush(merges);
    return bytes;
  };
  return (from: number, until: number, merges: boolean): number =>
    inTransaction(database, () => eraseSome(from, until, merges));
}
