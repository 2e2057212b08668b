// The ids of a segment's calls, by ordinal and back.
import { findLast, IDS_PER_BLOCK } from "./layout.ts";
import type { Segment } from "./segment-list.ts";
import type { RowReader } from "./segment-rows.ts";

export interface IdReader {
  /** The first ordinal whose id is not below `id`. */
  ordinalOf(segment: Segment, id: bigint): number;
  idOf(segment: Segment, ordinal: number): bigint;
  /** Every id of the segment, oldest first. */
  ids(segment: Segment): BigInt64Array;
}

export function createIdReader(readBlock: RowReader): IdReader {
  const idsOf = (segment: Segment, block: number) =>
    readBlock(segment, block, ({ buffer }) => new BigInt64Array(buffer));

  return {
    ordinalOf: (segment, id) => {
      if (id <= segment.firstId) return 0;
      const block = findLast(segment.firsts, id - 1n);
      return block * IDS_PER_BLOCK + findLast(idsOf(segment, block), id - 1n) + 1;
    },
    idOf: (segment, ordinal) =>
      idsOf(segment, Math.floor(ordinal / IDS_PER_BLOCK))[ordinal % IDS_PER_BLOCK] ??
      segment.lastId,
    ids: (segment) => {
      const ids = new BigInt64Array(segment.calls);
      for (const block of segment.firsts.keys())
        ids.set(idsOf(segment, block), block * IDS_PER_BLOCK);
      return ids;
    },
  };
}
