// Reads a call, or the calls of a reference.
import type { CallRecord } from "@call-media/client";
import type { ClockZone } from "@call-media/conditions";
import { byTime, type CallSelector, listLegs, type Message, readChat } from "@call-media/handover";
import type { Connection } from "../access/connect.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { toWords } from "./call-selector.ts";

export interface Call {
  readonly call_id: string;
  /** Each leg of a transfer is a record, the oldest first. Empty if the service has only a chat. */
  readonly records: readonly CallRecord[];
  /** In the order of the service. */
  readonly messages: readonly Message[];
}

type Service = Pick<Connection, "client"> & Pick<ClockZone, "archiveZone">;

/** @throws CommandFailure if the caller sees neither a record nor a chat (D21). */
export async function lookUpCall(
  { client, archiveZone }: Service,
  call_id: string,
  signal: AbortSignal,
): Promise<Call> {
  const [records, messages] = await Promise.all([
    listLegs({ client, signal }, { call_id }),
    readChat(client, call_id, signal).then((chat) => chat ?? []),
  ]);
  if (records.length === 0 && messages.length === 0) throw toNone({ call_id });
  return { call_id, records: records.toSorted(byTime(archiveZone?.())), messages };
}

/**
 * Every call with this reference, session or master identifier, the oldest record first.
 *
 * @throws CommandFailure if the caller sees none (D21).
 */
export async function lookUpReference(
  { client, archiveZone }: Service,
  ref_id: string,
  signal: AbortSignal,
): Promise<readonly CallRecord[]> {
  const records = await listLegs({ client, signal }, { ref_id });
  if (records.length === 0) throw toNone({ ref_id });
  return records.toSorted(byTime(archiveZone?.()));
}

const toNone = (selector: CallSelector) =>
  new CommandFailure(`there is no ${toWords(selector)}, or it may not be seen`);
