// Reading calls, their recordings and their chats by identifier, with the caller's access filter (D21).
import type { DatabaseSync } from "node:sqlite";
import {
  type Calls,
  type FoundRecording,
  isFault,
  type MetadataRecord,
  type Visibility,
} from "../../port/index.ts";
import { toInstantMs } from "../../values/order-key.ts";
import { toFound, toRecordingOrder } from "../../values/recording-order.ts";
import { createAccessFilters } from "../../values/visibility.ts";
import { CALL_COLUMNS, type CallRow, type RecordForm, type RecordRow } from "../call-row.ts";
import { createChatReader } from "../chats.ts";
import { prepareBig } from "../files/connection.ts";
import type { ReadTurn } from "../files/transaction.ts";
import { HAS_CALL_ID, HAS_REFERENCE } from "../identifiers.ts";
import { createMediaReader } from "../recording-rows.ts";

const selectCalls = (where: string) => `SELECT ${CALL_COLUMNS} FROM call WHERE ${where}`;

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
  const recordingsOf = createMediaReader(database);
  const prepareLookUps = (where: string) => {
    const select = prepareBig<CallRow>(database, selectCalls(where));
    const list = (name: string) => {
      turn.begin();
      return toNewestFirst(select.all(name));
    };
    return {
      records: (name: string, visibility: Visibility): MetadataRecord[] =>
        list(name).flatMap((row) => readVisible(row, visibility) ?? []),
      recordings: (name: string, visibility: Visibility): FoundRecording[] =>
        toRecordingOrder(
          list(name).flatMap((row) => {
            const record = readVisible(row, visibility);
            if (record === undefined) return [];
            const { id } = row;
            return toFound({ instantMs: toInstantMs(id), record, recordings: recordingsOf(id) });
          }),
        ),
    };
  };
  const ofCallId = prepareLookUps(HAS_CALL_ID);
  const ofReference = prepareLookUps(HAS_REFERENCE);
  const readChat = createChatReader(database);

  return {
    byCallId: async (callId, visibility) => ofCallId.records(callId, visibility),
    byReference: async (reference, visibility) => ofReference.records(reference, visibility),
    search,
    recordings: async (of, visibility) =>
      "callId" in of
        ? ofCallId.recordings(of.callId, visibility)
        : ofReference.recordings(of.reference, visibility),
    // A caller without restrictions also sees a chat that has no call record.
    chat: async (callId, visibility) =>
      visibility === "everything" || ofCallId.records(callId, visibility).length > 0
        ? readChat(callId)
        : [],
  };
}

// Nearly every identifier has one call, for which SQLite would sort as well.
function toNewestFirst(rows: readonly CallRow[]): readonly CallRow[] {
  return rows.length > 1 ? rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)) : rows;
}
