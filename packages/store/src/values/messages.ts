// Chat messages that are read: whether they are what was written, and where it was.
import type { ChatMessageRecord } from "../port/index.ts";
import { readWhole } from "./damaged-records.ts";
import { parseDatetime } from "./instant.ts";
import { parseStored } from "./record-form.ts";
import { isEqual, toTextDigest } from "./row-digest.ts";

/** What an adapter has of a message besides the call that it is found by. */
export interface KeptMessage {
  readonly record: string;
  readonly digest: Uint8Array;
  /** ms since 1970; null without a time. */
  readonly instant_ms: number | null;
}

/** Gives undefined for what is not what was written. `isOf`: whether it is found by this call_id. */
export type CheckMessage = (
  kept: KeptMessage,
  isOf: (callId: string | null) => boolean,
) => ChatMessageRecord | undefined;

/** `timeZone`: of the archive. */
export function createMessageCheck(timeZone: string): CheckMessage {
  return ({ record, digest, instant_ms }, isOf) => {
    if (!isEqual(digest, toTextDigest(record))) return undefined;
    const message = readWhole((): ChatMessageRecord => parseStored(record));
    const parsed = message && parseDatetime(message.datetime, timeZone);
    const instantMs = typeof parsed === "object" ? parsed.instantMs : undefined;
    // By these it is found, and purged: by another call_id it would be the chat of another call, or of none.
    return message !== undefined && isOf(message.call_id) && instant_ms === instantMs
      ? message
      : undefined;
  };
}
