// Reads the complete index, to compare it with the records.
import type { DatabaseSync } from "node:sqlite";
import { hasOrdinal } from "./bitmap.ts";
import { listOrdinals } from "./layout.ts";
import { IndexDamaged } from "./checksums.ts";
import { createSegmentReader } from "./segment-reader.ts";
import { createRowReader } from "./segment-rows.ts";

/** A fault of the index according to its checksums; undefined if there is none. Segments from earlier programs have no checksums. */
export function findIndexFault(database: DatabaseSync): string | undefined {
  const reader = createSegmentReader(database, 0);
  const [readPage, readBlock] = [
    createRowReader(database, "page", 0),
    createRowReader(database, "block", 0),
  ];
  try {
    for (const segment of reader.list().filter(({ sums }) => sums !== undefined)) {
      for (const page of segment.firstTerms.keys()) readPage(segment, page, () => true);
      for (let block = 0; block < segment.blocks; block += 1) readBlock(segment, block, () => true);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof IndexDamaged)) throw error;
    return error.message;
  }
}

export interface IndexVisitor {
  readonly addCall: () => void;
  readonly add: (id: bigint, term: number) => void;
}

/**
 * Passes each call of the index, and each term of each call, to `visitor`. Throws `IndexDamaged`, and `RangeError` for blocks of the
 * wrong length.
 */
export function readIndex(database: DatabaseSync, { addCall, add }: IndexVisitor): void {
  const reader = createSegmentReader(database, 0);
  for (const segment of reader.list()) {
    const ids = reader.ids(segment);
    const isLeft = (ordinal: number) => !(segment.removed && hasOrdinal(segment.removed, ordinal));
    for (const ordinal of ids.keys()) if (isLeft(ordinal)) addCall();
    const terms = reader.openTerms(segment);
    for (let term = terms.term(); term !== undefined; term = terms.term()) {
      for (const ordinal of listOrdinals(reader.ordinals(segment, terms.entry())))
        if (isLeft(ordinal)) add(ids[ordinal] ?? 0n, term);
      terms.advance();
    }
  }
}
