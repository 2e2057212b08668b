// Reading calls, their recordings and their chats from SQLite with somebody's eyes (D21).
import type { DatabaseSync } from "node:sqlite";
import type { Calls, ChatMessageRecord, FoundRecording, Visibility } from "../call-store.ts";
import { isVisible } from "../visibility.ts";
import { parseStored, RECORD_COLUMNS, type RecordRow, toRecord } from "./call-row.ts";

const BY_REFERENCE = "(ref_id = :reference OR session_id = :reference OR master_id = :reference)";

/** Searches, which may be slow, are left to `search`; what is asked by identifier is read here, on `database`. */
export function createCalls(database: DatabaseSync, search: Calls["search"]): Calls {
  const byCallId = database.prepare(
    `SELECT ${RECORD_COLUMNS} FROM call WHERE call_id = ? ORDER BY id DESC`,
  );
  const byReference = database.prepare(
    `SELECT ${RECORD_COLUMNS} FROM call WHERE ${BY_REFERENCE} ORDER BY id DESC`,
  );
  const recordingsOf = createRecordings(database);
  const chatOf = database.prepare(
    "SELECT record FROM chat WHERE call_id = ? ORDER BY instant_ms, id",
  );

  const read = (rows: readonly unknown[], visibility: Visibility) =>
    rows.map((row) => toRecord(row as RecordRow)).filter((record) => isVisible(record, visibility));
  const seenByCallId = (callId: string, visibility: Visibility) =>
    read(byCallId.all(callId), visibility);

  return {
    byCallId: async (callId, visibility) => seenByCallId(callId, visibility),
    byReference: async (reference, visibility) => read(byReference.all({ reference }), visibility),
    search,
    recordings: async (of, visibility) => recordingsOf(of, visibility),
    chat: async (callId, visibility) => {
      const isSeen = isVisible({}, visibility) || seenByCallId(callId, visibility).length > 0;
      return isSeen
        ? chatOf.all(callId).map((row): ChatMessageRecord => parseStored(row["record"]))
        : [];
    },
  };
}

function createRecordings(database: DatabaseSync) {
  const select = (condition: string) =>
    database.prepare(
      `SELECT call.call_id, call.ref_id, call.record, filename, start_ms, sha256, bytes, type, modified_ms, fingerprint
       FROM call JOIN recording ON recording.call = call.id JOIN media USING (sha256)
       WHERE ${condition} ORDER BY start_ms IS NULL, start_ms, call.id DESC, part`,
    );
  const byCallId = select("call_id = :callId");
  const byReference = select(BY_REFERENCE);

  return (
    of: { callId: string } | { reference: string },
    visibility: Visibility,
  ): FoundRecording[] =>
    ("callId" in of ? byCallId.all(of) : byReference.all(of))
      .filter((row) => isVisible(toRecord(row as unknown as RecordRow), visibility))
      .map((row) => ({
        callId: row["call_id"] === null ? null : String(row["call_id"]),
        filename: String(row["filename"]),
        startMs: row["start_ms"] === null ? undefined : Number(row["start_ms"]),
        media: {
          sha256: String(row["sha256"]),
          bytes: Number(row["bytes"]),
          type: String(row["type"]),
          modifiedMs: Number(row["modified_ms"]),
          fingerprint: row["fingerprint"] === null ? undefined : String(row["fingerprint"]),
        },
      }));
}
