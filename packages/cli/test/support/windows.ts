// Exports of one archive, by a service that says how many records a search has, and by one that does not.
import { type FakeCall, readTree, startExporting, toBytes } from "./exporting.ts";

export const CALLS: readonly FakeCall[] = Array.from({ length: 130 }, (_, index) => ({
  // Equal names on a day, and calls of several records on several days.
  call_id: `call ${index % 60}`,
  ref_id: `ref ${index}`,
  datetime: `2026-03-${String((index % 28) + 1).padStart(2, "0")}T06:14:00Z`,
  recordings: index % 7 === 0 ? [{ filename: `${index}.wav`, bytes: toBytes(600 + index) }] : [],
}));
export const CHATS = [{ call_id: "call 3", transcript: "Hi", datetime: "2026-03-04T06:00:00Z" }];

export const startCounting = () => startExporting({ calls: CALLS, chats: CHATS });

/** It does not say how many records a search has, so that each day is searched for alone. */
export const startUncounted = () =>
  startExporting({ calls: CALLS, chats: CHATS, profile: { recordCount: "page" } });

/** But for the account of the searches. */
export async function readFiles(out: string): Promise<Readonly<Record<string, string>>> {
  const { "report.json": _, ...files } = await readTree(out);
  return files;
}
