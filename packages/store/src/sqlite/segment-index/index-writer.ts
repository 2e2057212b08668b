// Writes removed and added calls to the index.
import type { DatabaseSync } from "node:sqlite";
import { addOrdinals, createBitmap, hasOrdinal } from "./bitmap.ts";
import { MAX_CALLS } from "./layout.ts";
import type { Segment } from "./segment-list.ts";
import { createSegmentReader, type SegmentReader } from "./segment-reader.ts";
import { createSegmentWriter } from "./segment-writer.ts";
import { createTermGroups } from "./term-groups.ts";

export interface IndexedCall {
  readonly id: bigint;
  /** The terms of its record from `createTermLister`. */
  readonly terms: Float64Array;
}

type Change = (removed: readonly bigint[], added: readonly IndexedCall[]) => void;

/** Removes calls, then adds others, which must be in the order of their ids. Must be called in a transaction. */
export function createIndexWriter(database: DatabaseSync): Change {
  const create = createSegmentWriter(database);
  const groups = createTermGroups();
  const remove = createRemover(database);
  const add = (calls: readonly IndexedCall[]) => {
    const segment = create(BigInt64Array.from(calls, ({ id }) => id));
    for (const [ordinal, { terms }] of calls.entries())
      for (const term of terms) groups.add(term, ordinal);
    groups.take((term, range) => segment.add(term, range));
    segment.end();
  };
  return (removed, added) => {
    remove(removed);
    for (let at = 0; at < added.length; at += MAX_CALLS) add(added.slice(at, at + MAX_CALLS));
  };
}

// Caches blocks of ids: calls that are imported again pass from one block to the next.
const REMOVER_BYTES = 16 * 1024 ** 2;

function createRemover(database: DatabaseSync): (ids: readonly bigint[]) => void {
  const write = database.prepare(
    "UPDATE index_segment SET removed_count = ?, removed = ? WHERE id = ?",
  );
  return (ids) => {
    if (ids.length === 0) return;
    // A new reader each time: a cache from a rolled-back transaction would be wrong.
    const reader = createSegmentReader(database, REMOVER_BYTES);
    for (const segment of reader.list()) {
      const ordinals = ids
        .map((id) => findOrdinal(reader, segment, id))
        .filter((ordinal) => ordinal !== -1);
      if (ordinals.length === 0) continue;
      const bitmap = createBitmap(segment.calls);
      bitmap.set(segment.removed ?? []);
      addOrdinals(bitmap, ordinals);
      write.run(segment.removedCount + ordinals.length, new Uint8Array(bitmap.buffer), segment.id);
    }
  };
}

/** The ordinal of the call in the segment; -1 if the segment does not have it, or if it was removed. */
function findOrdinal(reader: SegmentReader, segment: Segment, id: bigint): number {
  if (id < segment.firstId || id > segment.lastId) return -1;
  const ordinal = reader.ordinalOf(segment, id);
  if (reader.idOf(segment, ordinal) !== id) return -1;
  return segment.removed && hasOrdinal(segment.removed, ordinal) ? -1 : ordinal;
}
