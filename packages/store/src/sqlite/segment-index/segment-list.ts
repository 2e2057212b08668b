// The list of segments, each with the keys to find its rows.
import type { DatabaseSync } from "node:sqlite";
import { prepareBig } from "../files/connection.ts";
import { hasColumn } from "../schema/has-column.ts";
import { type Bitmap, countBits } from "./bitmap.ts";
import { IndexDamaged, readSums, type Sums } from "./checksums.ts";
import { ROWS_PER_SEGMENT, toAligned } from "./layout.ts";

export interface Segment {
  readonly id: number;
  /** Includes removed calls. */
  readonly calls: number;
  /** The number of removed calls. */
  readonly removedCount: number;
  /** The ordinals of removed calls. */
  readonly removed: Bitmap | undefined;
  readonly firstId: bigint;
  readonly lastId: bigint;
  /** The first id of each block of ids. */
  readonly firsts: BigInt64Array;
  /** The first term of each page. */
  readonly firstTerms: Float64Array;
  /** The number of its blocks, both of ids and of the ordinals of terms. */
  readonly blocks: number;
  /** Undefined if an earlier program wrote it. */
  readonly sums: Sums | undefined;
}

/** Throws `IndexDamaged`. Makes a function that lists all segments, in the order of their last ids, newest first. */
export function createSegmentLister(database: DatabaseSync): () => readonly Segment[] {
  const all = database.prepare("SELECT id, removed_count FROM index_segment ORDER BY last_id DESC");
  const one = prepareBig<SegmentRow>(
    database,
    `SELECT *, (SELECT max(id) FROM index_block WHERE id < (index_segment.id + 1) * ${ROWS_PER_SEGMENT}) AS last_block
     FROM index_segment WHERE id = ?`,
  );
  // In an archive that was upgraded to this version every segment has them.
  const hasSums = hasColumn(database, "setting", "digest");
  let known: readonly Segment[] = [];
  return () => {
    const byId = new Map(known.map((segment) => [segment.id, segment]));
    const found = all.all().map((row) => {
      const segment = byId.get(Number(row["id"]));
      if (segment !== undefined && segment.removedCount === row["removed_count"]) return segment;
      return toSegment(one.get(Number(row["id"])) as SegmentRow, hasSums); // it was listed
    });
    const isSame =
      found.length === known.length && found.every((segment, at) => segment === known[at]);
    // The same list as long as nothing changes, so that results derived from it can be cached too.
    if (!isSame) known = found;
    return known;
  };
}

interface SegmentRow {
  readonly id: bigint;
  readonly calls: bigint;
  readonly removed_count: bigint;
  readonly removed: Uint8Array | null;
  readonly first_id: bigint;
  readonly last_id: bigint;
  readonly firsts: Uint8Array;
  readonly first_terms: Uint8Array;
  readonly last_block: bigint;
  /** Absent in a backup from an earlier version. */
  readonly sums?: Uint8Array | null;
}

function toSegment(row: SegmentRow, hasSums: boolean): Segment {
  const firstTerms = new Float64Array(toAligned(row.first_terms).buffer);
  const removed = row.removed === null ? undefined : new Uint32Array(toAligned(row.removed).buffer);
  const count = removed === undefined ? 0 : countBits(removed, 0, Number(row.calls));
  if (Number(row.removed_count) !== count)
    throw new IndexDamaged(`the search index is damaged: the removed calls of segment ${row.id}`);
  return {
    id: Number(row.id),
    calls: Number(row.calls),
    removedCount: Number(row.removed_count),
    removed,
    firstId: row.first_id,
    lastId: row.last_id,
    firsts: new BigInt64Array(toAligned(row.firsts).buffer),
    firstTerms,
    sums: readSums(row, hasSums ? row.sums : undefined, firstTerms.length),
    blocks: (Number(row.last_block) % ROWS_PER_SEGMENT) + 1,
  };
}
