// All that the service says of one call.
import type { Schema } from "@call-media/api";
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { CommandFailure } from "../command-failure.ts";

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
  const [first, ...others] = metadata.data;
  if (first === undefined)
    throw new CommandFailure(`there is no call ${call_id}, or it may not be seen`);
  return { call_id, records: [first, ...others], messages: chat.data };
}
