// A damaged recording, named for the operator.
import type { Damage } from "@call-media/store";
import { toPrintable } from "@call-media/service/printable";

/** With the first call that has the recording; nothing of the call but its identifiers. */
export function toDamageLine(
  { callId, refId, filename, recordings, fault }: Damage,
  what = "damaged",
): string {
  const call = callId === null ? `ref_id ${refId ?? "none"}` : `call_id ${callId}`;
  const others = recordings > 1 ? `, and ${recordings - 1} more with the same content` : "";
  return toPrintable(`${what}: ${filename} of ${call}${others}: ${fault}`);
}
