// Reads chat messages. This is the only place that compares them with what was written.
import type { ChatMessageRecord } from "../port/index.ts";
import { nameDamagedMessage, notWritten, readWhole } from "../values/damaged-records.ts";
import { createMessageCheck } from "../values/messages.ts";
import { parseStored } from "../values/record-form.ts";
import type { Ask } from "./connection.ts";
import { toList } from "./values.ts";
import { toDigest, toName } from "./names.ts";

export const MESSAGE_COLUMNS =
  "replace(chat.call_name::text, '-', '') AS name, chat.instant_ms, chat.digest, chat.record";

/** A row with the `MESSAGE_COLUMNS`. */
export interface MessageRow {
  /** The name of its call_id. */
  readonly name: string | null;
  readonly instant_ms: number;
  readonly digest: string;
  readonly record: string;
}

/** Throws `StoreFault` for a row that differs from what was written. */
export type ToMessage = (row: MessageRow) => ChatMessageRecord;

/** `timeZone`: of the archive. */
export function createMessageForm(timeZone: string): ToMessage {
  const check = createMessageCheck(timeZone);
  return ({ name, ...row }) => {
    const isOf = (callId: string | null) => name === (callId === null ? null : toName(callId));
    const message = check({ ...row, digest: toDigest(row.digest) }, isOf);
    if (message === undefined) throw notWritten(nameStored(row));
    return message;
  };
}

/** Names a damaged message by the call_id in its record. */
export const nameStored = ({ record }: Pick<MessageRow, "record">): string =>
  nameDamagedMessage(readWhole((): ChatMessageRecord => parseStored(record))?.call_id);

export type ChatOf = (callId: string | null) => readonly ChatMessageRecord[];

/** The chats of the calls with these names, in the order of their messages. The returned function throws `StoreFault` for damaged ones. */
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
