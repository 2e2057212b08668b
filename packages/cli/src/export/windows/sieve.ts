// Which records of a window an export takes: those that meet its condition and that no other round has.
import { createHash } from "node:crypto";
import type { CallRecord } from "@call-media/client";
import {
  type Days,
  listItems,
  type Redaction,
  toFolderDay,
  toRecordingNames,
} from "@call-media/handover";
import type { CallFilter } from "../../search/where/call-filter.ts";
import type { Row } from "../journal/entries.ts";
import { readRows } from "../journal/journal-state.ts";
import type { JournalFile } from "../journal/journals.ts";
import type { Plan } from "../plan/plan.ts";

export interface Sifting {
  readonly plan: Plan;
  readonly where: CallFilter["filter"];
  readonly redaction: Redaction;
  /** Journals that other rounds have of the same days. */
  readonly others: readonly JournalFile[];
}

/** Lets through what is taken, redacted, and counts it and the rest. */
export async function createSieve(days: Days, sifting: Sifting) {
  const { plan, where, redaction } = sifting;
  const there = await countThere(sifting);
  let [known, excluded, rows] = [0, 0, 0];
  return {
    async sift(records: readonly CallRecord[]): Promise<readonly Row[]> {
      const passed: Row[] = [];
      const wanted = new Set(await where(records));
      for (const raw of records) {
        const record = redaction.redact(raw);
        const json = JSON.stringify(record);
        const parts = toRecordingNames(raw.recordings).length;
        const row = { index: rows, parts, day: toFolderDay(record, days), json };
        if (!wanted.has(raw)) excluded++;
        else if (there.size > 0 && takeOut(there, toKey(plan, row))) known++;
        else [passed[passed.length], rows] = [row, rows + 1];
      }
      return passed;
    },
    count() {
      const gone = [...there.values()].reduce((total, count) => total + count, 0);
      return { known, gone, excluded, rows };
    },
  };
}

/** How often each record is there already: equal ones are as many as they are. */
async function countThere({ plan, others }: Sifting): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { path } of others)
    for await (const rows of readRows(path))
      for (const row of rows) {
        const key = toKey(plan, row);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  return counts;
}

function takeOut(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
  return count > 0;
}

/**
 * Of what is exported, so that nothing that was masked is kept, not even as a digest. Where names of recordings are masked,
 * their number tells of a new one.
 */
function toKey(plan: Plan, row: Row): string {
  const text = `${listItems(plan.files, row).length} ${row.json}`;
  return createHash("sha256").update(text).digest("base64").slice(0, 22);
}
