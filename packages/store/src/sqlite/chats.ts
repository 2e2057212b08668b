// Reading chat messages: the one place where they are compared with what was written.
import type { DatabaseSync } from "node:sqlite";
import type { ChatMessageRecord } from "../port/index.ts";
import { nameDamagedMessage, notWritten, readWhole } from "../values/damaged-records.ts";
import { parseDatetime } from "../values/instant.ts";
import { parseStored } from "../values/record-form.ts";
import { isEqual, toTextDigest } from "../values/row-digest.ts";
import { prepareRows } from "./files/connection.ts";
import { readSetting } from "./settings.ts";

export const MESSAGE_COLUMNS = "call_id, instant_ms, digest, record";

/** The result of a SELECT of `MESSAGE_COLUMNS`. */
export interface MessageRow {
  readonly call_id: string | null;
  readonly instant_ms: number | null;
  readonly digest: Uint8Array;
  readonly record: string;
}

/** Throws `StoreFault` for a row that is not what was written. */
export type ReadMessage = (row: MessageRow) => ChatMessageRecord;

export function createMessageReader(database: DatabaseSync): ReadMessage {
  const timeZone = readSetting(database, "time_zone");
  return ({ call_id: callId, instant_ms, digest, record }) => {
    const message = isEqual(digest, toTextDigest(record))
      ? readWhole((): ChatMessageRecord => parseStored(record))
      : undefined;
    const parsed = message && parseDatetime(message.datetime, timeZone);
    const instantMs = typeof parsed === "object" ? parsed.instantMs : undefined;
    // By these it is found, and purged: by another call_id it would be the chat of another call, or of none.
    if (message === undefined || callId !== message.call_id || instant_ms !== instantMs)
      throw notWritten(nameDamagedMessage(callId));
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
