// Reads chat messages. This is the only place that compares them with what was written.
import type { DatabaseSync } from "node:sqlite";
import type { ChatMessageRecord } from "../port/index.ts";
import { nameDamagedMessage, notWritten } from "../values/damaged-records.ts";
import { createMessageCheck, type KeptMessage } from "../values/messages.ts";
import { prepareRows } from "./files/connection.ts";
import { readTimeZone } from "./settings.ts";

export const MESSAGE_COLUMNS = "call_id, instant_ms, digest, record";

/** A row with the `MESSAGE_COLUMNS`. */
export interface MessageRow extends KeptMessage {
  readonly call_id: string | null;
}

/** Throws `StoreFault` for a damaged row. */
export type ReadMessage = (row: MessageRow) => ChatMessageRecord;

export function createMessageReader(database: DatabaseSync): ReadMessage {
  const check = createMessageCheck(readTimeZone(database));
  return (row) => {
    const message = check(row, (callId) => callId === row.call_id);
    if (message === undefined) throw notWritten(nameDamagedMessage(row.call_id));
    return message;
  };
}

/** Makes a function that reads the messages of a call_id, oldest first. It throws `StoreFault` for damaged ones. */
export function createChatReader(database: DatabaseSync): (callId: string) => ChatMessageRecord[] {
  const select = prepareRows<MessageRow>(
    database,
    `SELECT ${MESSAGE_COLUMNS} FROM chat WHERE call_id = ? ORDER BY instant_ms, id`,
  );
  const read = createMessageReader(database);
  return (callId) => select.all(callId).map(read);
}
