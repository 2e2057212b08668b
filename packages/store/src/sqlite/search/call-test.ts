// Tests whether a call has the words of a search (D30), by its record and its chat.
import type { DatabaseSync } from "node:sqlite";
import { type Query, toSearched } from "@call-media/words";
import { createWordTest } from "../../values/word-test.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "../call-row.ts";
import { createChatReader } from "../chats.ts";
import { prepareBig } from "../files/connection.ts";
import { missingCall } from "../segment-index/segment-index.ts";

/** Makes the test for a query, by the id of a call. It throws `StoreFault` and `IndexDamaged`. */
export function createCallTest(database: DatabaseSync): (words: Query) => (id: bigint) => boolean {
  const { toRecord } = createRecordForm(database);
  const selectCall = prepareBig<CallRow>(database, `SELECT ${CALL_COLUMNS} FROM call WHERE id = ?`);
  const readChat = createChatReader(database);
  return (words) => {
    const test = createWordTest(words);
    return (id) => {
      const row = selectCall.get(id);
      if (row === undefined) throw missingCall();
      const record = toRecord(row);
      if (test(toSearched(record))) return true;
      const chat = row.call_id === null ? [] : readChat(row.call_id);
      return chat.length > 0 && test(toSearched(record, chat));
    };
  };
}
