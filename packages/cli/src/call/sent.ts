// When the messages of a chat were sent, of a service that leaves out some of the times as well.
import type { Message } from "@call-media/handover";
import { toInstant } from "../search/instant.ts";

export interface SentMessage {
  readonly message: Message;
  readonly sentAt: Date;
}

/**
 * In their order. Without an offset a time is taken to be in UTC (D03). A message without a time was sent with the one
 * before it, those before the first time with that; where there is none, at the start of the call.
 */
export function toSent(messages: readonly Message[], start: Date): readonly SentMessage[] {
  const times = messages.map(({ datetime }) => toInstant(datetime));
  let sentAt = times.find((time) => time !== undefined) ?? start;
  return messages.map((message, index) => {
    sentAt = times[index] ?? sentAt;
    return { message, sentAt };
  });
}
