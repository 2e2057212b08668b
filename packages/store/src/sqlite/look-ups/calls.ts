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
import { notWritten } from "../../values/damaged-records.ts";
import { CALL_COLUMNS, type CallRow, type RecordForm } from "../call-row.ts";
import { createChatReader } from "../chats.ts";
import { prepareBig } from "../files/connection.ts";
import type { ReadTurn } from "../files/transaction.ts";
import { HAS_CALL_ID, HAS_REFERENCE } from "../identifiers.ts";
import {
  checkRecording,
  createMediaReader,
  type StoredFile,
  toRecording,
} from "../recording-rows.ts";
import { openSegmentIndex } from "../segment-index/segment-index.ts";

const selectCalls = (where: string) => `SELECT ${CALL_COLUMNS} FROM call WHERE ${where}`;

/** Reads by identifier on `database`. Searches may be slow, so they are left to `search`. */
export function createCalls(
  { database, turn }: { readonly database: DatabaseSync; readonly turn: ReadTurn },
  { toRecord }: RecordForm,
  search: Calls["search"],
): Calls {
  const toFilter = createAccessFilters();
  const readVisible = (
    row: CallRow,
    visibility: Visibility,
    files?: readonly StoredFile[],
  ): MetadataRecord | undefined => {
    try {
      const record = toRecord(row, files);
      return toFilter(visibility)(record) ? record : undefined;
    } catch (error) {
      // A damaged record no longer shows who may see it. A caller who may not gets the response for a missing call.
      if (isFault(error, "damaged") && !wasVisible(database, row.id, visibility)) return undefined;
      throw error;
    }
  };
  const recordingsOf = createMediaReader(database);
  const prepareLookUps = (where: string, listNames: (row: CallRow) => readonly unknown[]) => {
    const select = prepareBig<CallRow>(database, selectCalls(where));
    const list = (name: string) => {
      turn.begin();
      return toNewestFirst(select.all(name));
    };
    const checkNamed = (row: CallRow, name: string) => {
      if (!listNames(row).includes(name.toWellFormed())) throw notWritten("an index of archive.db");
    };
    return {
      records: (name: string, visibility: Visibility): MetadataRecord[] =>
        list(name).flatMap((row) => {
          const record = readVisible(row, visibility);
          if (record === undefined) return [];
          checkNamed(row, name);
          return record;
        }),
      recordings: (name: string, visibility: Visibility): FoundRecording[] =>
        toRecordingOrder(
          list(name).flatMap((row) => {
            const { id } = row;
            const files = recordingsOf(id);
            const record = readVisible(row, visibility, files);
            if (record === undefined) return [];
            checkNamed(row, name);
            const recordings = files.map((one) => toRecording(checkRecording(one)));
            return toFound({ instantMs: toInstantMs(id), record, recordings });
          }),
        ),
    };
  };
  const ofCallId = prepareLookUps(HAS_CALL_ID, ({ call_id }) => [call_id]);
  const ofReference = prepareLookUps(HAS_REFERENCE, (row) => [
    row.ref_id,
    row.session_id,
    row.master_id,
  ]);
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

/** Judges by the search index, which was made from the record at import. False if the index is damaged too. */
function wasVisible(database: DatabaseSync, id: bigint, visibility: Visibility): boolean {
  if (visibility === "everything") return true;
  try {
    const query = { filter: {}, visibility, fromId: id, untilId: id + 1n };
    return openSegmentIndex(database).count(query) > 0;
  } catch {
    return false;
  }
}

// Nearly every identifier has one call; SQLite would run its sort even for that.
function toNewestFirst(rows: readonly CallRow[]): readonly CallRow[] {
  return rows.length > 1 ? rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)) : rows;
}
