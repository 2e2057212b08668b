// What was said and written in a call, as a file.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import type { Message } from "../../call/look-up.ts";
import type { Redaction } from "../plan/redaction.ts";
import { LegGone, listLegs } from "./legs.ts";

export interface Chats {
  readonly client: CallMediaClient;
  readonly redaction: Redaction;
  readonly signal: AbortSignal;
}

/**
 * The text of the file, in the form of `call-media transcript --format json`; undefined where nothing was said or written.
 * `isFirst`: whether no record of the call came before on its day; the chat goes with that one.
 *
 * @throws LegGone, the errors of a call.
 */
export async function readTranscript(
  chats: Chats,
  record: CallRecord,
  isFirst: boolean,
): Promise<string | undefined> {
  const { call_id, datetime, transcript } = record;
  const messages = call_id !== null && isFirst ? await readChat(chats, record, call_id) : [];
  if (transcript === null && messages.length === 0) return undefined;
  const spoken = transcript === null ? [] : [transcript];
  return `${JSON.stringify({ call_id, datetime, spoken, messages }, undefined, 2)}\n`;
}

async function readChat(
  { client, redaction, signal }: Chats,
  record: CallRecord,
  call_id: string,
): Promise<readonly Message[]> {
  const params = { path: { call_id } };
  const { data } = await client.GET("/chat/by-call-id/{call_id}", { params, signal });
  if (redaction.fields.length === 0 || data.data.length === 0) return data.data;
  // What is masked in the record is not kept anywhere, so that it has to be asked for.
  const legs = await listLegs({ client, signal }, { call_id });
  if (!legs.some((leg) => hasMasked(redaction, leg, record)))
    throw new LegGone("the service does not give its record again, which has what to mask in it");
  return data.data.map((message) =>
    legs.reduce((masked, leg) => redaction.redactRepeated(masked, leg), message),
  );
}

/** Whether the leg has a value wherever one is masked in the record. */
function hasMasked({ fields, redact }: Redaction, leg: CallRecord, record: CallRecord): boolean {
  const masked = redact(leg);
  return fields.every((field) => (masked[field] ?? null) === (record[field] ?? null));
}
