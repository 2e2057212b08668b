// What the calls of a batch change in the search index and in the count of calls by day. It is kept back until the batch
// ends and then done in the order of the ids: FTS5 writes what it has gathered to the disk whenever an id is smaller than
// the one before, which on a shuffled file took a third of the import's time.
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "../call-store.ts";
import { DAY_MS, toInstantMs } from "./order-key.ts";
import { createIndexWriter } from "./search-index.ts";

interface Change {
  readonly id: bigint;
  readonly record: MetadataRecord;
  /** 1 for a call that came, -1 for one that went. */
  readonly calls: 1 | -1;
}

export function createCallChanges(database: DatabaseSync) {
  const index = createIndexWriter(database);
  const putDay = database.prepare(
    `INSERT INTO call_day (day, calls) VALUES (?, ?)
     ON CONFLICT (day) DO UPDATE SET calls = calls + excluded.calls`,
  );
  const changes: Change[] = [];

  return {
    add: (id: bigint, record: MetadataRecord) => void changes.push({ id, record, calls: 1 }),
    remove: (id: bigint, record: MetadataRecord) => void changes.push({ id, record, calls: -1 }),
    /** A point to which `undo` returns. */
    mark: (): number => changes.length,
    undo: (mark: number) => void changes.splice(mark),
    /** The number of changes. */
    flush: (): number => {
      const days = new Map<number, number>();
      for (const { id, record, calls } of changes.toSorted(byId)) {
        if (calls === 1) index.add(id, record);
        else index.remove(id, record);
        const instantMs = toInstantMs(id);
        if (instantMs === undefined) continue;
        const day = Math.floor(instantMs / DAY_MS);
        days.set(day, (days.get(day) ?? 0) + calls);
      }
      for (const [day, calls] of days) putDay.run(day, calls);
      return changes.splice(0).length;
    },
  };
}

// Stable: a call that is replaced under its own id is taken out first, as it was noted.
function byId(a: Change, b: Change): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
