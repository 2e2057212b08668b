// All that the service says of one call, or of the calls of one reference.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { type Message, readChat, type CallSelector } from "@call-media/handover";
import { CommandFailure } from "../failures/command-failure.ts";
import { toWords } from "./call-selector.ts";

export interface Call {
  readonly call_id: string;
  /** The legs of a transfer are records of their own. Empty where there is a chat alone. */
  readonly records: readonly CallRecord[];
  /** In the order of the service; empty where there was no chat. */
  readonly messages: readonly Message[];
}

/** @throws CommandFailure where there is no such call and no chat of it, or they may not be seen (D21). */
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
 * Every call that has this reference, session or master identifier, in the order of the service.
 *
 * @throws CommandFailure where there is none, or none that may be seen (D21).
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
