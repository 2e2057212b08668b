// The tombstones of an archive in SQLite: see values/tombstones.ts.
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "../port/index.ts";
import { toDeclaredIdentity } from "../values/identity.ts";
import { toInstantMs } from "../values/order-key.ts";
import { toNameDigest } from "../values/row-digest.ts";
import {
  createBurial,
  type Debt,
  type ErasedCall,
  type Mark,
  toLater,
  toTombstone,
  type TombstoneName,
} from "../values/tombstones.ts";
import { toOwnMarks } from "../values/erasure-entry.ts";
import { nameDigested, notAsWritten, readWhole } from "../values/damaged-records.ts";
import { checkTables } from "./digested-rows.ts";
import { isWhole, toReplace } from "./schema/digested.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import type { StoredMark } from "../values/ledger.ts";
import type { Tombstone } from "../writing/slice.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { readSetting, readTimeZone } from "./settings.ts";

export function createTombstones(database: DatabaseSync) {
  const key = readSetting(database, "tombstone_key");
  const select = prepareRows<Tombstone & { readonly whole: number }>(
    database,
    `SELECT until_day AS untilDay, erasure, ${isWhole("tombstone")} AS whole FROM tombstone WHERE mark = ?`,
  );
  const find = (mark: Uint8Array): Tombstone | undefined => {
    const found = select.get(mark);
    if (found?.whole === 0) throw notAsWritten(nameDigested("tombstone", { mark }));
    return found && { untilDay: found.untilDay, erasure: found.erasure };
  };
  const all = prepareRows<{ readonly mark: Uint8Array; readonly untilDay: number | null }>(
    database,
    "SELECT mark, until_day AS untilDay FROM tombstone",
  );
  const any = database.prepare("SELECT 1 FROM tombstone LIMIT 1");
  const put = database.prepare(toReplace("tombstone"));
  const add = (mark: Uint8Array, untilDay: number | null, erasure: number | null) => {
    const known = select.get(mark);
    // A damaged mark applies to every day from now on, so that nothing erased comes back because of it.
    const until = known?.whole === 0 ? null : toLater(known?.untilDay, untilDay);
    put.run({ mark, until_day: until, erasure });
  };
  const remove = database.prepare("DELETE FROM tombstone WHERE mark = ?");
  return {
    isEmpty: () => any.get() === undefined,
    list: (): readonly StoredMark[] =>
      all.all().map(({ mark, untilDay }) => [Buffer.from(mark).toString("hex"), untilDay]),
    /** Reads all marks: if one was changed, an erased call could come back. Throws `StoreFault`. */
    check: () => checkTables(database, ["tombstone"]),
    /** `mark`: hexadecimal. Throws `StoreFault` if the tombstone is damaged. */
    find: (mark: string): Tombstone | undefined => find(Buffer.from(mark, "hex")),
    /** In the form of the ledger. */
    toStored: ({ name, untilDay }: Mark): StoredMark => [
      Buffer.from(toTombstone(key, name)).toString("hex"),
      untilDay,
    ],
    add: ([mark, untilDay]: StoredMark, erasure: number | null) =>
      add(Buffer.from(mark, "hex"), untilDay, erasure),
    /** The same, but an existing mark that covers as much keeps its erasure. */
    keep: ([mark, untilDay]: StoredMark, erasure: number | null) => {
      const bytes = Buffer.from(mark, "hex");
      const known = select.get(bytes);
      const isKept = known?.whole === 1 && toLater(known.untilDay, untilDay) === known.untilDay;
      if (!isKept) add(bytes, untilDay, known?.erasure ?? erasure);
    },
    /** `mark`: hexadecimal. */
    remove: (mark: string) => void remove.run(Buffer.from(mark, "hex")),
    /** The row of the access log for the erasure that left the mark. */
    findErasure: (name: TombstoneName): number | undefined =>
      readWhole(() => find(toTombstone(key, name)))?.erasure ?? undefined,
  };
}

interface ErasedRow extends CallRow {
  readonly identity: Uint8Array | null;
  readonly is_last: bigint;
  /** 1 if its source dates its states. */
  readonly is_dated: bigint;
}

interface MarksOf {
  /** True if the erasure names what it removes. */
  readonly isOfIdentifier: boolean;
  /** See `ErasureFilter`. */
  readonly isSound: boolean;
  readonly debt: Debt;
}

/** Returns the marks of rows; call it while the rows exist. */
export function createRowMarks(database: DatabaseSync, { isOfIdentifier, isSound, debt }: MarksOf) {
  const burial = createBurial(readTimeZone(database), debt);
  const isNamed = (callId: string) => isOfIdentifier || debt.callIds.has(callId);
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
  const isPart = database.prepare(
    `SELECT 1 FROM call WHERE call_id = :callId AND id NOT IN (SELECT id FROM doomed_call)
     UNION ALL SELECT 1 FROM chat WHERE call_id = :callId AND id NOT IN (SELECT id FROM doomed_chat) LIMIT 1`,
  );
  return {
    /** For an unreadable record, at most the call_id is known; it is erased all the same. */
    ofCall: (id: bigint): readonly Mark[] => {
      const row = calls.get(id);
      if (row === undefined) return [];
      const isForEver = isOfIdentifier || row.is_dated === 1n;
      if (isSound) return readWhole(() => burial.ofSound(toErased(row, toRecord), isForEver)) ?? [];
      const erased = { isLast: row.is_last === 1n, isForEver };
      const marks = readWhole(() => burial.ofCall(toErased(row, toRecord), erased));
      return marks ?? (erased.isLast ? toOwnMarks(listNames(row).filter(isNamed)) : []);
    },
    ofMessage: (id: bigint): readonly Mark[] => {
      const { digest, call_id: callId } = messages.get(id) ?? {};
      if (!(digest instanceof Uint8Array)) return [];
      if (typeof callId !== "string") return burial.ofMessage(digest, undefined);
      // The call may have only messages.
      const isCall = isNamed(callId) && isPart.get({ callId }) === undefined;
      const own = isCall ? toOwnMarks([callId]) : [];
      return [...own, ...burial.ofMessage(digest, toNameDigest(callId))];
    },
  };
}

const listNames = ({ call_id }: CallRow) => (call_id === null ? [] : [call_id]);

export type RowMarks = ReturnType<typeof createRowMarks>;

/** The identity of a call with a call_id can be read even if its record cannot. */
export function toErased(
  row: CallRow & { readonly identity: Uint8Array | null },
  toRecord: (row: CallRow) => MetadataRecord,
): ErasedCall {
  const { call_id, ref_id, session_id: sessionId, master_id: masterId } = row;
  return {
    record: call_id === null ? toRecord(row) : { call_id, ref_id },
    identity: toDeclaredIdentity(row.identity),
    instantMs: toInstantMs(row.id),
    sessionId,
    masterId,
  };
}
