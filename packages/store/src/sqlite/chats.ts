// Reading the chat of a call.
import type { DatabaseSync } from "node:sqlite";
import type { ChatMessageRecord } from "../port/index.ts";
import { parseStored } from "../values/record-form.ts";
import { prepareRows } from "./files/connection.ts";

/** Makes a function that reads the messages of a call_id, oldest first. It throws `StoreFault` for damaged ones. */
export function createChatReader(database: DatabaseSync): (callId: string) => ChatMessageRecord[] {
  const select = prepareRows<{ record: string }>(
    database,
    "SELECT record FROM chat WHERE call_id = ? ORDER BY instant_ms, id",
  );
  return (callId) => select.all(callId).map(({ record }) => parseStored(record));
}
