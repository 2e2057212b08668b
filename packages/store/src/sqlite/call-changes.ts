// What calls that are written change in the search index. It is kept back until enough has come together: the index takes
// calls in the order of their ids, and the more at a time, the fewer of its pieces have to be merged.
import type { DatabaseSync } from "node:sqlite";
import {
  createIndexWriter,
  createTermLister,
  type Indexable,
  type IndexedCall,
} from "./search-index.ts";

/** What makes a piece of the index that is large enough to stay as it is. */
const CALLS_OF_A_FLUSH = 40_000;

export function createCallChanges(database: DatabaseSync) {
  const index = createIndexWriter(database);
  const listTerms = createTermLister(database);
  const changes: Change[] = [];
  const flush = (): void => {
    const { removed, added } = settle(changes.splice(0));
    index.change(removed, added);
    if (removed.length + added.length > 0) index.merge();
  };

  return {
    // Its terms take a tenth of the memory that the record does.
    add: (id: bigint, call: Indexable) => void changes.push({ id, terms: listTerms(call) }),
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

interface Change {
  readonly id: bigint;
  /** Of a call that came; one that went has none. */
  readonly terms?: readonly number[];
}

// What matters of an id is whether the index has it, which shows in the first change, and what became of it in the last.
function settle(changes: readonly Change[]): { removed: bigint[]; added: IndexedCall[] } {
  const removed = new Set<bigint>();
  const added = new Map<bigint, readonly number[]>();
  for (const { id, terms } of changes) {
    if (terms !== undefined) added.set(id, terms);
    else if (!added.delete(id)) removed.add(id);
  }
  return {
    removed: [...removed],
    added: Array.from(added, ([id, terms]) => ({ id, terms })).toSorted((a, b) =>
      a.id < b.id ? -1 : 1,
    ),
  };
}
