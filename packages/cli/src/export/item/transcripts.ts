// What was said and written in a call, as a file.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import type { Message } from "../../call/look-up.ts";
import type { Redaction } from "../plan/redaction.ts";

export interface Chats {
  readonly client: CallMediaClient;
  readonly redaction: Redaction;
  readonly signal: AbortSignal;
}

/**
 * The text of the file, in the form of `call-media transcript --format json`; undefined where nothing was said or written.
 * `isFirst`: whether no record of the call came before on its day; the chat goes with that one.
 */
export async function readTranscript(
  chats: Chats,
  record: CallRecord,
  isFirst: boolean,
): Promise<string | undefined> {
  const { call_id, datetime, transcript } = record;
  const messages = call_id !== null && isFirst ? await readChat(chats, call_id) : [];
  if (transcript === null && messages.length === 0) return undefined;
  const spoken = transcript === null ? [] : [transcript];
  return `${JSON.stringify({ call_id, datetime, spoken, messages }, undefined, 2)}\n`;
}

async function readChat(
  { client, redaction, signal }: Chats,
  call_id: string,
): Promise<readonly Message[]> {
  const params = { path: { call_id } };
  const { data } = await client.GET("/chat/by-call-id/{call_id}", { params, signal });
  if (redaction.fields.length === 0 || data.data.length === 0) return data.data;
  // What is masked in the record is not kept anywhere, so that it has to be asked for.
  const { data: metadata } = await client.GET("/metadata/by-call-id/{call_id}", { params, signal });
  const mask = (text: string | null) =>
    metadata.data.reduce((masked, record) => masked && redaction.redactText(masked, record), text);
  return data.data.map((message) => ({
    ...message,
    label: mask(message.label),
    transcript: mask(message.transcript),
  }));
}
