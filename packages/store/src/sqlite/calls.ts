// Reading calls, their recordings and their chats from SQLite with somebody's eyes (D21).
import type { DatabaseSync } from "node:sqlite";
import type {
  Calls,
  ChatMessageRecord,
  FoundRecording,
  MetadataRecord,
  Visibility,
} from "../call-store.ts";
import { isVisible } from "../visibility.ts";
import { parseStored, RECORD_COLUMNS, type RecordForm, type RecordRow } from "./call-row.ts";
import { SPAN } from "./order-key.ts";
import { RECORDING_COLUMNS, toRecording } from "./recording-rows.ts";
import { createSight } from "./sight.ts";

// Answered by an index alone, rights included. An OR over the three names would read each call that has one of them.
const BY_CALL_ID = "call_id = :name AND is_seen(restricted)";
const IN_ANY_SPAN = `${SPAN} IN (SELECT number FROM call_span)`;
const BY_REFERENCE = `call.id IN (${["ref_id", "session_id", "master_id"]
  .map(
    (column) =>
      `SELECT id FROM call WHERE ${IN_ANY_SPAN} AND ${column} = :name AND is_seen(restricted)`,
  )
  .join(" UNION ALL ")})`;

/** Searches, which may be slow, are left to `search`; what is asked by identifier is read here, on `database`. */
export function createCalls(
  database: DatabaseSync,
  { toRecord }: RecordForm,
  search: Calls["search"],
): Calls {
  const look = createSight(database);
  const readRecords = (condition: string) => {
    const select = database.prepare(
      `SELECT ${RECORD_COLUMNS} FROM call WHERE ${condition} ORDER BY id DESC`,
    );
    return (name: string, visibility: Visibility): MetadataRecord[] =>
      look(visibility, () => select.all({ name })).map(
        (row) => toRecord(row as unknown as RecordRow), // the columns that RECORD_COLUMNS names
      );
  };
  const byCallId = readRecords(BY_CALL_ID);
  const byReference = readRecords(BY_REFERENCE);
  const recordingsByCallId = createRecordings(database, BY_CALL_ID);
  const recordingsByReference = createRecordings(database, BY_REFERENCE);
  const isAnySeen = database.prepare(`SELECT 1 FROM call WHERE ${BY_CALL_ID} LIMIT 1`);
  const chatOf = database.prepare(
    "SELECT record FROM chat WHERE call_id = ? ORDER BY instant_ms, id",
  );

  return {
    byCallId: async (callId, visibility) => byCallId(callId, visibility),
    byReference: async (reference, visibility) => byReference(reference, visibility),
    search,
    recordings: async (of, visibility) =>
      look(visibility, () =>
        "callId" in of ? recordingsByCallId(of.callId) : recordingsByReference(of.reference),
      ),
    chat: async (callId, visibility) => {
      const isSeen =
        isVisible({}, visibility) ||
        look(visibility, () => isAnySeen.all({ name: callId })).length > 0;
      return isSeen
        ? chatOf.all(callId).map((row): ChatMessageRecord => parseStored(row["record"]))
        : [];
    },
  };
}

function createRecordings(database: DatabaseSync, condition: string) {
  const select = database.prepare(
    `SELECT call.call_id, ${RECORDING_COLUMNS}
     FROM call JOIN recording ON recording.call = call.id JOIN media USING (sha256)
     WHERE ${condition} ORDER BY start_ms IS NULL, start_ms, call.id DESC, part`,
  );
  return (name: string): FoundRecording[] =>
    select.all({ name }).map((row) => ({
      callId: row["call_id"] === null ? null : String(row["call_id"]),
      ...toRecording(row),
    }));
}
