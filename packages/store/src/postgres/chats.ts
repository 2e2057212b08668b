// Reading chat messages: the one place where they are compared with what was written.
import type { ChatMessageRecord } from "../port/index.ts";
import { nameDamagedMessage, notWritten, readWhole } from "../values/damaged-records.ts";
import { parseDatetime } from "../values/instant.ts";
import { parseStored } from "../values/record-form.ts";
import { isEqual, toTextDigest } from "../values/row-digest.ts";
import { type Ask, toList } from "./connection.ts";
import { toDigest, toName } from "./names.ts";

export const MESSAGE_COLUMNS =
  "replace(chat.call_name::text, '-', '') AS name, chat.instant_ms, chat.digest, chat.record";

/** The result of a SELECT of `MESSAGE_COLUMNS`. */
export interface MessageRow {
  /** Of its call_id. */
  readonly name: string | null;
  readonly instant_ms: number;
  readonly digest: string;
  readonly record: string;
}

/** Throws `StoreFault` for a row that is not what was written. */
export type ToMessage = (row: MessageRow) => ChatMessageRecord;

/** `timeZone`: of the archive. */
export function createMessageForm(timeZone: string): ToMessage {
  return ({ name, instant_ms, digest, record }) => {
    const isWhole = isEqual(toDigest(digest), toTextDigest(record));
    const message = readWhole((): ChatMessageRecord => parseStored(record));
    const callId = message?.call_id ?? null;
    const parsed = isWhole ? message && parseDatetime(message.datetime, timeZone) : undefined;
    const instantMs = typeof parsed === "object" ? parsed.instantMs : undefined;
    // By these it is found, and purged: by another name it would be the chat of another call, or of none.
    const isPlaced = name === (callId === null ? null : toName(callId)) && instant_ms === instantMs;
    if (message === undefined || !isPlaced) throw notWritten(nameDamagedMessage(callId));
    return message;
  };
}

export type ChatOf = (callId: string | null) => readonly ChatMessageRecord[];

/** The chats of the calls with these names, in the order of their messages. What it gives throws `StoreFault` for damaged ones. */
export async function readChats(
  ask: Ask,
  names: readonly string[],
  toMessage: ToMessage,
): Promise<ChatOf> {
  const rows =
    names.length === 0
      ? []
      : await ask<MessageRow>(
          `SELECT ${MESSAGE_COLUMNS} FROM chat WHERE call_name = ANY($1::uuid[]) ORDER BY instant_ms, id`,
          [toList(names)],
        );
  const byName = Map.groupBy(rows, ({ name }) => name);
  return (callId) => (callId === null ? [] : (byName.get(toName(callId)) ?? []).map(toMessage));
}
