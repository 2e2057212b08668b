// Converts a record and its chat to entries of an import, which rejects fields outside the contract.
import { toInstant } from "@call-media/conditions";
import { fieldsOf } from "@call-media/api";
import { type CallRecord, toSeconds } from "@call-media/client";
import type { SentMessage } from "./sent.ts";

type Entry = Readonly<Record<string, unknown>>;

/** Null removes a value that an import would derive from the rest of the vCon, such as the names of recordings. */
export function toRecordEntry(record: CallRecord, hasMedia: boolean): Entry {
  const { media, recordings, datetime, ...fields } = pick(record, "MetadataRecord");
  const others = hasMedia ? { media_field: media } : { media_field: null, media, recordings };
  return {
    datetime: toInstant(datetime) === undefined ? null : datetime,
    ...fields,
    handle_time: toCount(record.handle_time),
    talk_time: toCount(record.talk_time),
    session_id: null,
    ...others,
  };
}

export function toMessageEntry({ message, sentAt }: SentMessage): Entry {
  const { datetime, ...fields } = pick(message, "ChatMessageRecord");
  const isKnown = toInstant(datetime) !== undefined;
  return { kind: "chat", ...fields, datetime: isKnown ? datetime : sentAt.toISOString() };
}

/** Some services write seconds as text (D02), or negative ones. */
function toCount(value: unknown): number | null {
  const seconds = toSeconds(value) ?? -1;
  return seconds < 0 ? null : seconds;
}

function pick(record: object, schema: "MetadataRecord" | "ChatMessageRecord"): Entry {
  const all: Entry = { ...record };
  return Object.fromEntries(fieldsOf(schema).map((field) => [field, all[field] ?? null]));
}
