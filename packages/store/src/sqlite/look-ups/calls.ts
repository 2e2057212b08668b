// Reading calls, their recordings and their chats from SQLite with somebody's eyes (D21).
import type { DatabaseSync } from "node:sqlite";
import type { Calls, ChatMessageRecord } from "../../call-store.ts";
import { parseStored, RECORD_COLUMNS, type RecordForm } from "../call-row.ts";
import { BY_CALL_ID, BY_REFERENCE, type Identifier } from "../identifiers.ts";
import { RECORDING_COLUMNS, toRecording } from "../recording-rows.ts";
import { createSight, type Look } from "./sight.ts";

const selectRecords = (from: string, where: string) =>
  `SELECT ${RECORD_COLUMNS} FROM ${from} WHERE ${where} ORDER BY id DESC`;
const selectRecordings = (from: string, where: string) =>
  `SELECT ${RECORDING_COLUMNS}, call.call_id
   FROM ${from} JOIN recording ON recording.call = call.id JOIN media USING (sha256)
   WHERE ${where} ORDER BY start_ms IS NULL, start_ms, call.id DESC, part`;
const selectAny = (from: string, where: string) => `SELECT 1 FROM ${from} WHERE ${where} LIMIT 1`;

/** What is asked by identifier is read here, on `database`; searches, which may be slow, are left to `search`. */
export function createCalls(
  database: DatabaseSync,
  { toRecord }: RecordForm,
  search: Calls["search"],
): Calls {
  const { prepareLook } = createSight(database);
  const prepareRecords = (identifier: Identifier) => {
    const look = prepareLook(identifier, selectRecords);
    return async (...asked: Parameters<Look>) =>
      look(...asked).map((row) => {
        const [call_id, ref_id, record] = row as [string | null, string | null, string]; // RECORD_COLUMNS
        return toRecord({ call_id, ref_id, record });
      });
  };
  const prepareRecordings = (identifier: Identifier) => {
    const look = prepareLook(identifier, selectRecordings);
    return async (...asked: Parameters<Look>) =>
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
    byCallId,
    byReference,
    search,
    recordings: (of, visibility) =>
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
