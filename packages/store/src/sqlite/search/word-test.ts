// Whether a call has the words of a search (D30), by its record and its chat.
import type { DatabaseSync } from "node:sqlite";
import { matches, type Query, toSearched } from "@call-media/words";
import { createRecordForm, RECORD_COLUMNS, type RecordRow } from "../call-row.ts";
import { createChatReader } from "../chats.ts";

/** Makes the test of a query, by the id of a call. */
export function createWordTest(database: DatabaseSync): (words: Query) => (id: bigint) => boolean {
  const { toRecord } = createRecordForm(database);
  const selectCall = database.prepare(`SELECT ${RECORD_COLUMNS} FROM call WHERE id = ?`);
  const readChat = createChatReader(database);
  return (words) => (id) => {
    const row = selectCall.get(id) as RecordRow | undefined;
    if (row === undefined) return false;
    const record = toRecord(row);
    if (matches(words, toSearched(record))) return true;
    const chat = row.call_id === null ? [] : readChat(row.call_id);
    return chat.length > 0 && matches(words, toSearched(record, chat));
  };
}
