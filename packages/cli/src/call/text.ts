// A call as text for people.
import type { ShowDatetime } from "@call-media/conditions";
import type { CallRecord } from "@call-media/client";
import type { Message } from "@call-media/handover";
import { toFieldsText } from "../terminal/fields.ts";
import { type Paint, toPrintable } from "@call-media/terminal";
import type { Call } from "./look-up.ts";

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

/** Indents further lines of a message, so that they do not look like another message. */
const INDENT = "    ";

/** A line for each message: when, who, what. */
export function toChatText(messages: readonly Message[], showDatetime: ShowDatetime): string {
  return messages
    .map((message) => {
      const head = `${showDatetime(message.datetime)}  ${toSpeaker(message)}`;
      const said = toPrintable(message.transcript ?? "").replaceAll("\n", `\n${INDENT}`);
      return `${toPrintable(head.replaceAll(/[\r\n]+/g, " "))}: ${said}`;
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
