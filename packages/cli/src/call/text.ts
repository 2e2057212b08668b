// A call as text for people.
import type { CallRecord } from "@call-media/client";
import type { ShowDatetime } from "../search/time-zone.ts";
import { toFieldsText } from "../terminal/fields.ts";
import { type Paint, toPrintable } from "../terminal/paint.ts";
import type { Call, Message } from "./look-up.ts";

/** Every field that has a value, record by record, and the chat. */
export function toCallText(
  { records, messages }: Pick<Call, "records" | "messages">,
  showDatetime: ShowDatetime,
  paint: Paint,
): string {
  const blocks = records.map((record) => toRecordText(record, showDatetime, paint));
  if (messages.length > 0)
    blocks.push(`${paint("bold", "chat")}\n${toChatText(messages, showDatetime)}`);
  return blocks.join("\n\n");
}

/** A line for each message: when, who, what. */
export function toChatText(messages: readonly Message[], showDatetime: ShowDatetime): string {
  return messages
    .map((message) => {
      const said = message.transcript ?? "";
      const line = `${showDatetime(message.datetime)}  ${toSpeaker(message)}: ${said}`;
      return toPrintable(line);
    })
    .join("\n");
}

export function toSpeaker({ label, party_type }: Message): string {
  return label === null ? party_type : `${label} (${party_type})`;
}

function toRecordText(record: CallRecord, showDatetime: ShowDatetime, paint: Paint): string {
  const { datetime } = record;
  return toFieldsText({ ...record, datetime: datetime && showDatetime(datetime) }, paint);
}
