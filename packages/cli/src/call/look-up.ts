// Reads a call, or the calls of a reference.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { type Message, readChat, type CallSelector } from "@call-media/handover";
import { CommandFailure } from "../failures/command-failure.ts";
import { toWords } from "./call-selector.ts";

export interface Call {
  readonly call_id: string;
  /** Each leg of a transfer is a record. Empty if the service has only a chat. */
  readonly records: readonly CallRecord[];
  /** In the order of the service. */
  readonly messages: readonly Message[];
}

/** @throws CommandFailure if the caller sees neither a record nor a chat (D21). */
export async function lookUpCall(
  client: CallMediaClient,
  call_id: string,
  signal: AbortSignal,
): Promise<Call> {
  const params = { path: { call_id } };
  const [{ data: metadata }, messages] = await Promise.all([
    client.GET("/metadata/by-call-id/{call_id}", { params, signal }),
    readChat(client, call_id, signal).then((chat) => chat ?? []),
  ]);
  const records = metadata.data;
  if (records.length === 0 && messages.length === 0) throw toNone({ call_id });
  return { call_id, records, messages };
}

/**
 * Every call with this reference, session or master identifier, in the order of the service.
 *
 * @throws CommandFailure if the caller sees none (D21).
 */
export async function lookUpReference(
  client: CallMediaClient,
  ref_id: string,
  signal: AbortSignal,
): Promise<readonly CallRecord[]> {
  const init = { params: { path: { ref_id } }, signal };
  const { data: metadata } = await client.GET("/metadata/by-reference/{ref_id}", init);
  if (metadata.data.length === 0) throw toNone({ ref_id });
  return metadata.data;
}

const toNone = (selector: CallSelector) =>
  new CommandFailure(`there is no ${toWords(selector)}, or it may not be seen`);
