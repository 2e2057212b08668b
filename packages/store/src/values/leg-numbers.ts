// Numbers for records of one call_id that began at the same moment, and whose source says nothing else that tells them apart.
import type { CallItem } from "../port/index.ts";

/** The identity of the `number`th of them, from 2 on. */
export const toLegIdentity = (instantMs: number | undefined, number: number): string[] => [
  instantMs === undefined ? "" : new Date(instantMs).toISOString(),
  String(number),
];

/**
 * Makes a function for the calls of an archive that is read from the newest on, which numbers such records: earlier versions told them
 * apart by their agents, and they stay apart where they are written again.
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
