// Collects the changes of the search index from written calls. Writes them in large groups: the index takes calls in
// the order of their ids, and larger groups leave fewer segments to merge.
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "../../port/index.ts";
import {
  createTermLister,
  type IndexedCall,
  openSegmentIndex,
} from "../segment-index/segment-index.ts";

/** The number of calls that make a final segment of the index, which is not merged again. */
const CALLS_OF_A_FLUSH = 40_000;

export function createCallChanges(database: DatabaseSync) {
  const index = openSegmentIndex(database);
  const listTerms = createTermLister(database);
  const changes: Change[] = [];
  const flush = (): void => {
    const { removed, added } = settle(changes.splice(0));
    index.change(removed, added);
    if (removed.length + added.length > 0) index.merge();
  };

  return {
    // Its terms take a tenth of the memory that the record does.
    add: (id: bigint, record: MetadataRecord) =>
      void changes.push({ id, terms: listTerms(record) }),
    remove: (id: bigint) => void changes.push({ id }),
    /** A point to which `undo` returns. */
    mark: (): number => changes.length,
    undo: (mark: number) => void changes.splice(mark),
    flush,
    flushWhenFull: (): void => {
      if (changes.length >= CALLS_OF_A_FLUSH) flush();
    },
  };
}

/** A call that was added, or the id of one that was removed. */
type Change = IndexedCall | { readonly id: bigint };

// The index only needs to know if it has an id, which the first change shows, and the last outcome.
function settle(changes: readonly Change[]) {
  const removed = new Set<bigint>();
  const added = new Map<bigint, IndexedCall>();
  for (const change of changes) {
    if ("terms" in change) added.set(change.id, change);
    else if (!added.delete(change.id)) removed.add(change.id);
  }
  return {
    removed: [...removed],
    added: [...added.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}
