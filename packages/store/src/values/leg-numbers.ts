// Numbers for records of one call_id that began at the same instant, if their source does not distinguish them in another way.
import type { CallItem } from "../port/index.ts";

/** The identity of the `number`th of them, from 2 on. */
export const toLegIdentity = (instantMs: number | undefined, number: number): string[] => [
  instantMs === undefined ? "" : new Date(instantMs).toISOString(),
  String(number),
];

/**
 * Makes a function that numbers such records. It must get the calls of an archive from the newest on. Earlier versions distinguished
 * these records by their agents, and they stay distinct when written again.
 */
export function createLegNumbers() {
  let moment: number | undefined;
  const counts = new Map<string, number>();
  return (item: CallItem, instantMs: number | undefined): CallItem => {
    const { call_id: callId } = item.record;
    if (callId === null || item.identity !== undefined) return item;
    if (moment !== instantMs) counts.clear();
    moment = instantMs;
    const number = (counts.get(callId) ?? 0) + 1;
    counts.set(callId, number);
    return number === 1 ? item : { ...item, identity: toLegIdentity(instantMs, number) };
  };
}
