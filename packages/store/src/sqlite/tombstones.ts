// Tombstones: what a purge leaves of each record, so that a later import of the same does not bring it back (D33). A keyed hash,
// of which nothing can be read.
import { createHmac } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { type MetadataRecord, RecordDamaged } from "../call-store.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import { prepareBig } from "./files/connection.ts";
import { toInstantMs } from "./order-key.ts";
import { readSetting } from "./settings.ts";

/** What tells a record from all others. */
export type Name = readonly (string | number | null)[];

const DAY_MS = 86_400_000;

const toDay = (instantMs: number | undefined) =>
  instantMs === undefined ? null : Math.floor(instantMs / DAY_MS);

/** `identity`: see call-digest.ts. */
export function nameCall(
  callId: string,
  identity: Uint8Array,
  instantMs: number | undefined,
): Name {
  return ["call", callId, Buffer.from(identity).toString("hex"), toDay(instantMs)];
}

/** A call without a call_id is the same when its record is, but for the files that it names. `toStored`: see call-row.ts. */
export function nameAnonymous(
  record: MetadataRecord,
  instantMs: number | undefined,
  toStored: (record: MetadataRecord) => string,
): Name {
  return ["anonymous", toStored({ ...record, recordings: null, media: null }), toDay(instantMs)];
}

/** All states of a call whose source dates them: see call-revisions.ts. */
export const nameStates = (callId: string): Name => ["states", callId];

/** `digest`: of the whole message. */
export const nameMessage = (digest: Uint8Array): Name => [
  "chat",
  Buffer.from(digest).toString("hex"),
];

export function createTombstones(database: DatabaseSync) {
  const key = readSetting(database, "tombstone_key");
  const toMark = (name: Name) =>
    createHmac("sha256", key).update(JSON.stringify(name)).digest().subarray(0, 16);
  const find = database.prepare("SELECT 1 FROM tombstone WHERE mark = ?");
  const any = database.prepare("SELECT 1 FROM tombstone LIMIT 1");
  const add = database.prepare("INSERT OR IGNORE INTO tombstone (mark) VALUES (?)");
  const remove = database.prepare("DELETE FROM tombstone WHERE mark = ?");
  return {
    isEmpty: () => any.get() === undefined,
    has: (name: Name) => find.get(toMark(name)) !== undefined,
    add: (name: Name) => void add.run(toMark(name)),
    remove: (name: Name) => void remove.run(toMark(name)),
  };
}

interface ErasedCall extends CallRow {
  readonly identity: Uint8Array | null;
  /** Whether its source dates its states, and no other record of it is left. */
  readonly is_last_of_states: bigint;
}

/** Makes functions that leave the tombstones of a call and of a chat message, to be called while they are there. */
export function createTombstoneWriter(database: DatabaseSync) {
  const tombstones = createTombstones(database);
  const { toRecord, toStored } = createRecordForm(database);
  const calls = prepareBig<ErasedCall>(
    database,
    `SELECT ${CALL_COLUMNS}, identity,
       EXISTS (SELECT 1 FROM call_revision WHERE call_revision.call_id = call.call_id)
       AND NOT EXISTS (SELECT 1 FROM call AS other WHERE other.call_id = call.call_id AND other.id <> call.id)
       AS is_last_of_states
     FROM call WHERE id = ?`,
  );
  const messages = database.prepare("SELECT digest FROM chat WHERE id = ?");
  const toName = (call: ErasedCall): Name => {
    const { call_id: callId, identity } = call;
    const instantMs = toInstantMs(call.id);
    return callId === null || identity === null
      ? nameAnonymous(toRecord(call), instantMs, toStored)
      : nameCall(callId, identity, instantMs);
  };
  return {
    addCall: (id: bigint) => {
      const call = calls.get(id);
      if (call === undefined) return;
      try {
        tombstones.add(toName(call));
      } catch (error) {
        // What cannot be read is erased all the same.
        if (!(error instanceof RecordDamaged)) throw error;
      }
      if (call.is_last_of_states === 1n && call.call_id !== null)
        tombstones.add(nameStates(call.call_id));
    },
    addMessage: (id: bigint) => {
      const digest = messages.get(id)?.["digest"];
      if (digest instanceof Uint8Array) tombstones.add(nameMessage(digest));
    },
  };
}
