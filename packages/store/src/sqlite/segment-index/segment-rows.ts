// Reads the rows of segments from the database, both pages and blocks, and caches their parsed form.
import type { DatabaseSync } from "node:sqlite";
import { ROWS_PER_SEGMENT, toAligned } from "./layout.ts";
import { createCache } from "./cache.ts";
import { checkSum, IndexDamaged } from "./checksums.ts";
import type { Segment } from "./segment-list.ts";

/** Returns the result of `parse` for a row. */
export type RowReader = <T>(
  segment: Segment,
  number: number,
  parse: (bytes: Uint8Array<ArrayBuffer>) => T,
) => T;

/** Caches up to `maxBytes` of parsed rows. Throws `IndexDamaged`. */
export function createRowReader(
  database: DatabaseSync,
  kind: "page" | "block",
  maxBytes: number,
): RowReader {
  const select = database.prepare(`SELECT bytes FROM index_${kind} WHERE id = ?`);
  const cache = createCache<unknown>(maxBytes);
  return <T>(segment: Segment, number: number, parse: (bytes: Uint8Array<ArrayBuffer>) => T): T => {
    const id = segment.id * ROWS_PER_SEGMENT + number;
    const known = cache.get(id);
    if (known !== undefined) return known as T; // each row is parsed in only one way
    const bytes = select.get(id)?.["bytes"];
    if (!(bytes instanceof Uint8Array))
      throw new IndexDamaged(
        `the search index lacks the ${kind} ${number} of its segment ${segment.id}`,
      );
    const sums = segment.sums?.[kind];
    if (sums !== undefined)
      checkSum(bytes, sums[number], `the ${kind} ${number} of its segment ${segment.id}`);
    const parsed = parse(toAligned(bytes));
    cache.set(id, parsed, bytes.byteLength);
    return parsed;
  };
}
