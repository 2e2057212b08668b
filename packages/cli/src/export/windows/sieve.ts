// Which records of a window an export takes: those that meet its condition and that no earlier round has.
import { createHash } from "node:crypto";
import type { CallRecord } from "@call-media/client";
import { toRecordingNames } from "../../call/recording-names.ts";
import type { Predicate } from "../../search/where/comparison.ts";
import type { Row } from "../journal/entries.ts";
import { readRows } from "../journal/journal-state.ts";
import type { JournalFile } from "../journal/journals.ts";
import { toFolderDay } from "../journal/placing.ts";
import type { Days } from "../plan/days.ts";
import type { Redaction } from "../plan/redaction.ts";

export interface Sifting {
  readonly where: Predicate;
  readonly redaction: Redaction;
  /** Journals that earlier rounds have of the same days. */
  readonly earlier: readonly JournalFile[];
}

/** Lets through what is taken, redacted, and counts it and the rest. */
export async function createSieve(days: Days, { where, redaction, earlier: journals }: Sifting) {
  const earlier = await countEarlier(journals);
  let [known, excluded, rows] = [0, 0, 0];
  return {
    sift(records: readonly CallRecord[]): readonly Row[] {
      const passed: Row[] = [];
      for (const raw of records) {
        const record = redaction.redact(raw);
        const json = JSON.stringify(record);
        const parts = toRecordingNames(raw.recordings).length;
        if (!where(raw)) excluded++;
        else if (takeOut(earlier, json)) known++;
        else passed.push({ index: rows++, parts, day: toFolderDay(record, days), json });
      }
      return passed;
    },
    count() {
      const gone = [...earlier.values()].reduce((total, count) => total + count, 0);
      return { known, gone, excluded, rows };
    },
  };
}

/** How often each record is there already: equal ones are as many as they are. */
async function countEarlier(journals: Sifting["earlier"]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { path } of journals)
    for await (const rows of readRows(path))
      for (const { json } of rows) {
        const key = toKey(json);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  return counts;
}

function takeOut(counts: Map<string, number>, json: string): boolean {
  if (counts.size === 0) return false;
  const key = toKey(json);
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
  return count > 0;
}

/** Of what is exported, so that nothing that was masked is kept, not even as a digest. */
const toKey = (json: string) => createHash("sha256").update(json).digest("base64").slice(0, 22);
