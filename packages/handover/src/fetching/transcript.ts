// The transcript or chat of a call, as a file.
import type { CallRecord } from "@call-media/client";
import type { Redaction } from "../masking/redaction.ts";
import { type Message, readChat } from "./chat.ts";
import { muteMessages } from "../muting/muting.ts";
import { type FetchContext, listLegs } from "./legs.ts";
import { NotReceived } from "./not-received.ts";

/** A transcript of a call as a file. */
export interface Transcript {
  /** Its chat messages, masked if fields are masked or the sound is muted. */
  readonly messages: readonly Message[];
  /** The content of the file, in the form of `call-media transcript --format json`; undefined without messages. */
  readonly text: string | undefined;
  /**
   * True if the service does not know a chat of the call: there is none (D15 would require an empty list), or the service has no
   * chats.
   */
  readonly isChatUnknown: boolean;
}

/**
 * `isFirst`: true if the record is the first of its call on its day; the chat goes with that record.
 *
 * @throws NotReceived, the errors of a call.
 */
export async function readTranscript(
  context: FetchContext,
  record: CallRecord,
  isFirst: boolean,
): Promise<Transcript> {
  const { call_id, datetime, transcript } = record;
  const { client, signal } = context;
  const chat = call_id !== null && isFirst ? await readChat(client, call_id, signal) : [];
  const masked = await mask(context, record, chat ?? []);
  const messages = await mute(context, record, masked);
  const isChatUnknown = chat === undefined;
  if (transcript === null && messages.length === 0)
    return { text: undefined, messages, isChatUnknown };
  const spoken = transcript === null ? [] : [transcript];
  const text = `${JSON.stringify({ call_id, datetime, spoken, messages }, undefined, 2)}\n`;
  return { text, messages, isChatUnknown };
}

/** Masked values of the record are not stored, so they have to be requested. */
async function mask(
  { client, redaction, signal }: FetchContext,
  record: CallRecord,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  const { call_id } = record;
  if (call_id === null || messages.length === 0 || redaction.fields.length === 0) return messages;
  const legs = await listLegs({ client, signal }, { call_id });
  if (!legs.some((leg) => hasMasked(redaction, leg, record)))
    throw new NotReceived(
      "failed",
      "the service does not give its record again, which has what to mask in it",
    );
  return messages.map((message) =>
    legs.reduce((masked, leg) => redaction.redactRepeated(masked, leg), message),
  );
}

/** The times of all legs determine which messages are in a span. */
async function mute(
  { client, muting, signal }: FetchContext,
  { call_id }: CallRecord,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  const spans = muting?.spansOf(call_id) ?? [];
  if (call_id === null || messages.length === 0 || spans.length === 0) return messages;
  return muteMessages(messages, await listLegs({ client, signal }, { call_id }), spans);
}

/** True if masking the leg yields the masked fields of the record. */
function hasMasked({ fields, redact }: Redaction, leg: CallRecord, record: CallRecord): boolean {
  const masked = redact(leg);
  return fields.every((field) => (masked[field] ?? null) === (record[field] ?? null));
}
