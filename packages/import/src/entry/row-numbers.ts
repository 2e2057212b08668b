// Numbers equal rows of a file that have no identifier. Three missed calls of one minute are three calls, and the same file brings
// the same three again.
import { hash } from "node:crypto";
import type { ParsedEntry } from "./parse-entry.ts";

// 48 bits are an integer of JavaScript, which takes less memory than a text. If two rows that differ share one, the second is given
// a number without need.
const DIGITS = 12;

/** Makes a function for the rows of one file, in their order. The second of equal ones has the identity "2", and so on. */
export function createRowNumbers(): (entry: ParsedEntry) => ParsedEntry {
  const seen = new Map<number, number>();
  return (entry) => {
    const { item, media } = entry;
    if (item.kind !== "call" || item.record.call_id !== null || item.identity !== undefined)
      return entry;
    const files = media.map(({ file, startMs }) => [file, startMs]);
    const content = JSON.stringify([item.record, item.sessionId, item.masterId, files]);
    const key = Number.parseInt(hash("sha256", content).slice(0, DIGITS), 16);
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return number === 1 ? entry : { ...entry, item: { ...item, identity: [String(number)] } };
  };
}
