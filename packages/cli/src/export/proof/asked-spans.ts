// Finds spans to mute for which the export has no recording.
import { type CallSpan, createSpanTally, listItems } from "@call-media/handover";
import type { ExportFolder } from "../folder/export-folder.ts";
import { listJournals, readJournal, readRows, toRecord } from "../journal/journal.ts";
import type { Plan } from "../plan/plan.ts";

/** Undefined if no recordings are exported. */
export async function listUnmuted(
  { journals }: ExportFolder,
  { files, isOldestFirst }: Plan,
  mute: readonly CallSpan[],
): Promise<readonly CallSpan[] | undefined> {
  if (!files.includes("recordings")) return undefined;
  const calls = new Set(mute.map(({ call_id }) => call_id));
  const tally = createSpanTally(mute);
  for (const journal of await listJournals(journals, isOldestFirst)) {
    const { outcomes } = await readJournal(journal.path);
    for await (const rows of readRows(journal.path))
      for (const row of rows) {
        const { call_id } = toRecord(row);
        if (call_id === null || !calls.has(call_id)) continue;
        for (const item of listItems(["recordings"], row)) tally.add(call_id, outcomes.get(item));
      }
  }
  return tally.listUnmuted();
}
