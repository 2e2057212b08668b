// What the calls of a batch change in the search index. It is kept back until the batch ends: the index takes calls in the
// order of their ids, many at a time.
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "../call-store.ts";
import { createIndexWriter, type IndexedCall } from "./search-index.ts";

export function createCallChanges(database: DatabaseSync) {
  const index = createIndexWriter(database);
  const changes: Change[] = [];

  return {
    add: (id: bigint, record: MetadataRecord) => void changes.push({ id, record }),
    remove: (id: bigint) => void changes.push({ id }),
    /** A point to which `undo` returns. */
    mark: (): number => changes.length,
    undo: (mark: number) => void changes.splice(mark),
    flush: (): void => {
      const { removed, added } = settle(changes.splice(0));
      index.change(removed, added);
      if (removed.length + added.length > 0) index.merge();
    },
  };
}

interface Change {
  readonly id: bigint;
  /** Of a call that came; one that went has none. */
  readonly record?: MetadataRecord;
}

// What matters of an id is whether the index has it, which shows in the first change, and what became of it in the last.
function settle(changes: readonly Change[]): { removed: bigint[]; added: IndexedCall[] } {
  const removed = new Set<bigint>();
  const added = new Map<bigint, MetadataRecord>();
  for (const { id, record } of changes) {
    if (record !== undefined) added.set(id, record);
    else if (!added.delete(id)) removed.add(id);
  }
  return {
    removed: [...removed],
    added: Array.from(added, ([id, record]) => ({ id, record })).toSorted((a, b) =>
      a.id < b.id ? -1 : 1,
    ),
  };
}
