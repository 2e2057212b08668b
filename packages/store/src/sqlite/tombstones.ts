// The tombstones of an archive in SQLite: see values/tombstones.ts.
import type { DatabaseSync } from "node:sqlite";
import { isFault } from "../port/index.ts";
import {
  nameAnonymous,
  nameCall,
  nameMessage,
  nameStates,
  toTombstone,
  type TombstoneName,
} from "../values/tombstones.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import { prepareBig } from "./files/connection.ts";
import { toInstantMs } from "../values/order-key.ts";
import { readSetting } from "./settings.ts";

export function createTombstones(database: DatabaseSync) {
  const key = readSetting(database, "tombstone_key");
  const find = database.prepare("SELECT 1 FROM tombstone WHERE mark = ?");
  const any = database.prepare("SELECT 1 FROM tombstone LIMIT 1");
  const add = database.prepare("INSERT OR IGNORE INTO tombstone (mark) VALUES (?)");
  const remove = database.prepare("DELETE FROM tombstone WHERE mark = ?");
  return {
    isEmpty: () => any.get() === undefined,
    has: (name: TombstoneName) => find.get(toTombstone(key, name)) !== undefined,
    add: (name: TombstoneName) => void add.run(toTombstone(key, name)),
    remove: (name: TombstoneName) => void remove.run(toTombstone(key, name)),
  };
}

interface ErasedCall extends CallRow {
  readonly identity: Uint8Array | null;
  /** True if its source dates its states, and no other record of it remains. */
  readonly is_last_of_states: bigint;
}

/** Makes functions that leave the tombstones of a call and of a chat message, to be called while they are there. */
export function createTombstoneWriter(database: DatabaseSync) {
  const tombstones = createTombstones(database);
  const { toRecord } = createRecordForm(database);
  const calls = prepareBig<ErasedCall>(
    database,
    `SELECT ${CALL_COLUMNS}, identity,
       EXISTS (SELECT 1 FROM call_revision WHERE call_revision.call_id = call.call_id)
       AND NOT EXISTS (SELECT 1 FROM call AS other WHERE other.call_id = call.call_id AND other.id <> call.id)
       AS is_last_of_states
     FROM call WHERE id = ?`,
  );
  const messages = database.prepare("SELECT digest FROM chat WHERE id = ?");
  const toName = (call: ErasedCall): TombstoneName => {
    const { call_id: callId, identity } = call;
    const instantMs = toInstantMs(call.id);
    return callId === null || identity === null
      ? nameAnonymous(toRecord(call), instantMs)
      : nameCall(callId, identity, instantMs);
  };
  return {
    addCall: (id: bigint) => {
      const call = calls.get(id);
      if (call === undefined) return;
      try {
        tombstones.add(toName(call));
      } catch (error) {
        // An unreadable record is erased all the same.
        if (!isFault(error, "damaged")) throw error;
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
