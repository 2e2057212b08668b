// Which records of a window an export takes: those that meet its condition and that no earlier round has.
import { createHash } from "node:crypto";
import type { CallRecord } from "@call-media/client";
import { toRecordingNames } from "../recording-names.ts";
import type { Predicate } from "../search/where/comparison.ts";
import type { Row } from "./entries.ts";
import { readRows } from "./journal-state.ts";
import type { JournalFile } from "./journals.ts";
import type { Redaction } from "./redaction.ts";

export interface Sifting {
  readonly where: Predicate;
  readonly redaction: Redaction;
  /** Journals that earlier rounds have of the same days. */
  readonly earlier: readonly JournalFile[];
}

/** Lets through what is taken, redacted, and counts it and the rest. */
export async function createSieve({ where, redaction, earlier: journals }: Sifting) {
  const earlier = await countEarlier(journals);
  let [known, excluded, rows] = [0, 0, 0];
  return {
    sift(records: readonly CallRecord[]): readonly Row[] {
      const passed: Row[] = [];
      for (const raw of records) {
        const record = redaction.redact(raw);
        if (!where(raw)) excluded++;
        else if (takeOut(earlier, record)) known++;
        else passed.push({ record, parts: toRecordingNames(raw.recordings).length });
      }
      rows += passed.length;
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
      for (const { record } of rows) {
        const key = toKey(record);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  return counts;
}

function takeOut(counts: Map<string, number>, record: CallRecord): boolean {
  if (counts.size === 0) return false;
  const key = toKey(record);
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
  return count > 0;
}

/** Of what is exported, so that nothing that was masked is kept, not even as a digest. */
const toKey = (record: CallRecord) =>
  createHash("sha256").update(JSON.stringify(record)).digest("base64").slice(0, 22);
