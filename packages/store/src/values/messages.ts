// Checks chat messages that were read: they must be what was written, and stored in the right place.
import type { ChatMessageRecord } from "../port/index.ts";
import { readWhole } from "./damaged-records.ts";
import { parseDatetime } from "./instant.ts";
import { parseStored } from "./record-form.ts";
import { isEqual, toTextDigest } from "./row-digest.ts";

/** An adapter's data about a message, apart from the call that it was found by. */
export interface KeptMessage {
  readonly record: string;
  readonly digest: Uint8Array;
  /** ms since 1970; null without a time. */
  readonly instant_ms: number | null;
}

/** Returns undefined for a damaged message. `isOf`: true if it is found by this call_id. */
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
    // A message is found and purged by these. With another call_id it would belong to the chat of another call, or of none.
    return message !== undefined && isOf(message.call_id) && instant_ms === instantMs
      ? message
      : undefined;
  };
}
