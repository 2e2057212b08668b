// Reading calls, their recordings and their chats by identifier, with the caller's access filter (D21).
import type { DatabaseSync } from "node:sqlite";
import {
  type Calls,
  type FoundRecording,
  isFault,
  type MetadataRecord,
  type Visibility,
} from "../../port/index.ts";
import { createAccessFilters } from "../../values/visibility.ts";
import {
  CALL_COLUMNS,
  type CallRow,
  RECORD_COLUMNS,
  type RecordForm,
  type RecordRow,
} from "../call-row.ts";
import { createChatReader } from "../chats.ts";
import { prepareBig, prepareRows } from "../files/connection.ts";
import type { ReadTurn } from "../files/transaction.ts";
import { HAS_CALL_ID, HAS_REFERENCE } from "../identifiers.ts";
import { RECORDING_COLUMNS, type RecordingRow, toRecording } from "../recording-rows.ts";

const selectCalls = (where: string) => `SELECT ${CALL_COLUMNS} FROM call WHERE ${where}`;
const selectRecordings = (where: string) =>
  `SELECT ${RECORDING_COLUMNS}, ${RECORD_COLUMNS}
   FROM call JOIN recording ON recording.call = call.id JOIN media USING (sha256)
   WHERE ${where} ORDER BY start_ms IS NULL, start_ms, call.id DESC, part`;

/** Reads by identifier on `database`; searches, which may be slow, are left to `search`. */
export function createCalls(
  { database, turn }: { readonly database: DatabaseSync; readonly turn: ReadTurn },
  { toRecord }: RecordForm,
  search: Calls["search"],
): Calls {
  const toFilter = createAccessFilters();
  // Nobody's rights can be checked for an unreadable record: only callers without restrictions get it.
  const readVisible = (row: RecordRow, visibility: Visibility): MetadataRecord | undefined => {
    if (visibility === "everything") return toRecord(row);
    try {
      const record = toRecord(row);
      return toFilter(visibility)(record) ? record : undefined;
    } catch (error) {
      if (isFault(error, "damaged")) return undefined;
      throw error;
    }
  };
  const prepareRecords = (where: string) => {
    const select = prepareBig<CallRow>(database, selectCalls(where));
    return (name: string, visibility: Visibility): MetadataRecord[] => {
      turn.begin();
      return toNewestFirst(select.all(name)).flatMap((row) => readVisible(row, visibility) ?? []);
    };
  };
  const prepareRecordings = (where: string) => {
    const select = prepareRows<RecordingRow & RecordRow>(database, selectRecordings(where));
    return (name: string, visibility: Visibility): FoundRecording[] => {
      turn.begin();
      return select
        .all(name)
        .filter((row) => visibility === "everything" || readVisible(row, visibility) !== undefined)
        .map((row) => ({ callId: row.call_id, ...toRecording(row) }));
    };
  };
  const byCallId = prepareRecords(HAS_CALL_ID);
  const byReference = prepareRecords(HAS_REFERENCE);
  const recordingsByCallId = prepareRecordings(HAS_CALL_ID);
  const recordingsByReference = prepareRecordings(HAS_REFERENCE);
  const readChat = createChatReader(database);

  return {
    byCallId: async (callId, visibility) => byCallId(callId, visibility),
    byReference: async (reference, visibility) => byReference(reference, visibility),
    search,
    recordings: async (of, visibility) =>
      "callId" in of
        ? recordingsByCallId(of.callId, visibility)
        : recordingsByReference(of.reference, visibility),
    // A caller without restrictions also sees a chat that has no call record.
    chat: async (callId, visibility) =>
      visibility === "everything" || byCallId(callId, visibility).length > 0
        ? readChat(callId)
        : [],
  };
}

// Nearly every identifier has one call, for which SQLite would sort as well.
function toNewestFirst(rows: readonly CallRow[]): readonly CallRow[] {
  return rows.length > 1 ? rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)) : rows;
}
