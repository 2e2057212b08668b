// Reading calls, their recordings and their chats from SQLite with somebody's eyes (D21).
import type { DatabaseSync } from "node:sqlite";
import type { Calls, ChatMessageRecord } from "../call-store.ts";
import { parseStored, RECORD_COLUMNS, type RecordForm } from "./call-row.ts";
import { SPAN } from "./order-key.ts";
import { RECORDING_COLUMNS, toRecording } from "./recording-rows.ts";
import { createSight, type Look, type Named } from "./sight.ts";

// Comes after all text: with an end to compare with, a row costs what one with the identifier costs.
const END = "x''";

const BY_CALL_ID: Named = {
  numbers: "SELECT restricted FROM call WHERE call_id = :name",
  others: `SELECT restricted FROM call WHERE call_id > :name AND call_id < ${END}
           UNION ALL SELECT restricted FROM call WHERE call_id < :name`,
  where: (isSeen) => `call_id = :name AND ${isSeen}`,
};

const IN_ANY_SPAN = `${SPAN} IN (SELECT number FROM call_span)`;
// An OR over the three names would read each call that has one of them.
const selectReferenced = (column: string, isSeen: string) =>
  ["ref_id", "session_id", "master_id"]
    .map(
      (name) => `SELECT ${column} FROM call WHERE ${IN_ANY_SPAN} AND ${name} = :name AND ${isSeen}`,
    )
    .join(" UNION ALL ");
const BY_REFERENCE: Named = {
  numbers: selectReferenced("restricted", "TRUE"),
  others: `SELECT restricted FROM call WHERE ${IN_ANY_SPAN} AND ref_id > :name AND ref_id < ${END}
           UNION ALL SELECT restricted FROM call WHERE call_id > '' AND call_id < ${END}`,
  where: (isSeen) => `call.id IN (${selectReferenced("id", isSeen)})`,
};

const selectRecords = (from: string, where: string) =>
  `SELECT ${RECORD_COLUMNS} FROM ${from} WHERE ${where} ORDER BY id DESC`;
const selectRecordings = (from: string, where: string) =>
  `SELECT ${RECORDING_COLUMNS}, call.call_id
   FROM ${from} JOIN recording ON recording.call = call.id JOIN media USING (sha256)
   WHERE ${where} ORDER BY start_ms IS NULL, start_ms, call.id DESC, part`;
const selectAny = (from: string, where: string) => `SELECT 1 FROM ${from} WHERE ${where} LIMIT 1`;

/** Searches, which may be slow, are left to `search`; what is asked by identifier is read here, on `database`. */
export function createCalls(
  database: DatabaseSync,
  { toRecord }: RecordForm,
  search: Calls["search"],
): Calls {
  const { prepareLook } = createSight(database);
  const prepareRecords = (named: Named) => {
    const look = prepareLook(named, selectRecords);
    return (...asked: Parameters<Look>) =>
      look(...asked).map((row) => {
        const [call_id, ref_id, record] = row as [string | null, string | null, string]; // RECORD_COLUMNS
        return toRecord({ call_id, ref_id, record });
      });
  };
  const prepareRecordings = (named: Named) => {
    const look = prepareLook(named, selectRecordings);
    return (...asked: Parameters<Look>) =>
      look(...asked).map((row) => {
        const callId = row.at(-1) ?? null;
        return { callId: callId === null ? null : String(callId), ...toRecording(row) };
      });
  };
  const byCallId = prepareRecords(BY_CALL_ID);
  const byReference = prepareRecords(BY_REFERENCE);
  const recordingsByCallId = prepareRecordings(BY_CALL_ID);
  const recordingsByReference = prepareRecordings(BY_REFERENCE);
  const isAnySeen = prepareLook(BY_CALL_ID, selectAny);
  const chatOf = database.prepare(
    "SELECT record FROM chat WHERE call_id = ? ORDER BY instant_ms, id",
  );

  return {
    byCallId: async (callId, visibility) => byCallId(callId, visibility),
    byReference: async (reference, visibility) => byReference(reference, visibility),
    search,
    recordings: async (of, visibility) =>
      "callId" in of
        ? recordingsByCallId(of.callId, visibility)
        : recordingsByReference(of.reference, visibility),
    // Whoever sees everything sees a chat of which there is no record as well.
    chat: async (callId, visibility) =>
      visibility.length === 0 || isAnySeen(callId, visibility).length > 0
        ? chatOf.all(callId).map((row): ChatMessageRecord => parseStored(row["record"]))
        : [],
  };
}
