// Finds when the messages of a chat were sent, even if the service leaves some times out.
import { toInstant } from "@call-media/conditions";
import type { Message } from "@call-media/handover";

export interface SentMessage {
  readonly message: Message;
  readonly sentAt: Date;
}

/**
 * Keeps the order. A time without an offset is in the archive's zone (D03), or UTC if that is unknown. A message without a time gets that
 * of the previous one, or else the first time in the chat. If no message has a time, all get the start of the call.
 */
export function toSent(
  messages: readonly Message[],
  start: Date,
  archiveZone?: string,
): readonly SentMessage[] {
  const times = messages.map(({ datetime }) => toInstant(datetime, archiveZone));
  let sentAt = times.find((time) => time !== undefined) ?? start;
  return messages.map((message, index) => {
    sentAt = times[index] ?? sentAt;
    return { message, sentAt };
  });
}
