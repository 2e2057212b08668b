// The tombstones of an archive in SQLite: see values/tombstones.ts.
import type { DatabaseSync } from "node:sqlite";
import { isFault } from "../port/index.ts";
import { toDeclaredIdentity } from "../values/identity.ts";
import { toInstantMs } from "../values/order-key.ts";
import { toNameDigest } from "../values/row-digest.ts";
import { createBurial, type Mark, toTombstone, type TombstoneName } from "../values/tombstones.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import type { Tombstone } from "../writing/slice.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { readSetting, readTimeZone } from "./settings.ts";

export function createTombstones(database: DatabaseSync) {
  const key = readSetting(database, "tombstone_key");
  const find = prepareRows<Tombstone>(
    database,
    "SELECT until_day AS untilDay, erasure FROM tombstone WHERE mark = ?",
  );
  const any = database.prepare("SELECT 1 FROM tombstone LIMIT 1");
  const add = database.prepare(
    `INSERT INTO tombstone (mark, until_day, erasure) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET until_day = max(until_day, excluded.until_day), erasure = excluded.erasure`,
  );
  const remove = database.prepare("DELETE FROM tombstone WHERE mark = ?");
  return {
    isEmpty: () => any.get() === undefined,
    /** `mark`: hexadecimal. */
    find: (mark: string): Tombstone | undefined => find.get(Buffer.from(mark, "hex")),
    add: ({ name, untilDay }: Mark, erasure: number | null) =>
      void add.run(toTombstone(key, name), untilDay, erasure),
    /** `mark`: hexadecimal. */
    remove: (mark: string) => void remove.run(Buffer.from(mark, "hex")),
    /** The row of the access log that says who left the mark. */
    findErasure: (name: TombstoneName): number | undefined =>
      find.get(toTombstone(key, name))?.erasure ?? undefined,
  };
}

interface ErasedRow extends CallRow {
  readonly identity: Uint8Array | null;
  readonly is_last: bigint;
  /** 1 if its source dates its states. */
  readonly is_dated: bigint;
}

export interface Erasure {
  /** The row of the access log. */
  readonly seq: number | null;
  readonly isOfIdentifier: boolean;
}

/** Makes functions that leave the tombstones of a call and of a chat message, to be called while they are there. */
export function createTombstoneWriter(database: DatabaseSync, { seq, isOfIdentifier }: Erasure) {
  const tombstones = createTombstones(database);
  const burial = createBurial(readTimeZone(database));
  const { toRecord } = createRecordForm(database);
  const calls = prepareBig<ErasedRow>(
    database,
    `SELECT ${CALL_COLUMNS}, identity,
       EXISTS (SELECT 1 FROM call_revision WHERE call_revision.call_id = call.call_id) AS is_dated,
       NOT EXISTS (SELECT 1 FROM call AS other WHERE other.call_id = call.call_id
         AND other.id NOT IN (SELECT id FROM doomed_call)) AS is_last
     FROM call WHERE id = ?`,
  );
  const messages = database.prepare("SELECT digest, call_id FROM chat WHERE id = ?");
  const addAll = (marks: readonly Mark[]) => marks.forEach((mark) => tombstones.add(mark, seq));
  const toMarks = (row: ErasedRow): Mark[] => {
    const { call_id, ref_id, session_id: sessionId, master_id: masterId } = row;
    const call = {
      // What tells a call with a call_id apart can be read of an unreadable record as well.
      record: call_id === null ? toRecord(row) : { call_id, ref_id },
      identity: toDeclaredIdentity(row.identity),
      instantMs: toInstantMs(row.id),
      sessionId,
      masterId,
    };
    const isForEver = isOfIdentifier || row.is_dated === 1n;
    return burial.ofCall(call, { isLast: row.is_last === 1n, isForEver });
  };
  return {
    addAll,
    addCall: (id: bigint) => {
      const row = calls.get(id);
      try {
        if (row !== undefined) addAll(toMarks(row));
      } catch (error) {
        // An unreadable record is erased all the same.
        if (!isFault(error, "damaged")) throw error;
      }
    },
    addMessage: (id: bigint) => {
      const { digest, call_id: callId } = messages.get(id) ?? {};
      if (digest instanceof Uint8Array)
        addAll(
          burial.ofMessage(digest, typeof callId === "string" ? toNameDigest(callId) : undefined),
        );
    },
  };
}
