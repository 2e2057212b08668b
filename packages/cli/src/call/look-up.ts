// All that the service says of one call, or of the calls of one reference.
import type { Schema } from "@call-media/api";
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { CommandFailure } from "../command-failure.ts";
import { toWords, type Which } from "./which.ts";

export type Message = Schema<"ChatMessageRecord">;

export interface Call {
  readonly call_id: string;
  /** At least one; the legs of a transfer are records of their own. */
  readonly records: readonly [CallRecord, ...CallRecord[]];
  /** In the order of the service; empty where there was no chat. */
  readonly messages: readonly Message[];
}

/** @throws CommandFailure where there is no such call, or it may not be seen (D21). */
export async function lookUpCall(
  client: CallMediaClient,
  call_id: string,
  signal: AbortSignal,
): Promise<Call> {
  const params = { path: { call_id } };
  const [{ data: metadata }, { data: chat }] = await Promise.all([
    client.GET("/metadata/by-call-id/{call_id}", { params, signal }),
    client.GET("/chat/by-call-id/{call_id}", { params, signal }),
  ]);
  return { call_id, records: toSome(metadata.data, { call_id }), messages: chat.data };
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
): Promise<Call["records"]> {
  const init = { params: { path: { ref_id } }, signal };
  const { data: metadata } = await client.GET("/metadata/by-reference/{ref_id}", init);
  return toSome(metadata.data, { ref_id });
}

function toSome([first, ...others]: readonly CallRecord[], which: Which): Call["records"] {
  if (first !== undefined) return [first, ...others];
  throw new CommandFailure(`there is no ${toWords(which)}, or it may not be seen`);
}
