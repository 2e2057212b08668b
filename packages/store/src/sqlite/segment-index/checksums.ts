// The checksums of a segment: of its row, and of each of its pages and blocks. SQLite keeps none, and a bit changed on disk
// would hide calls from a search, or show them to others.
import { crc32 } from "node:zlib";

/** The search index differs from what was written: the disk, or another program, has changed the archive's files. */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
}

export const missingCall = () =>
  new IndexDamaged("the search index has a call that is not in the archive");

/** The checksums of pages and blocks, by their numbers. */
export interface Sums {
  readonly page: Uint32Array;
  readonly block: Uint32Array;
}

/** The checksummed columns of a segment's row. The bitmap of removed calls changes, so its length is compared with their number. */
export interface SummedRow {
  readonly calls: number | bigint;
  readonly first_id: bigint;
  readonly last_id: bigint;
  readonly firsts: Uint8Array;
  readonly first_terms: Uint8Array;
}

/** In stored order: the sum of the row, which covers the others, then those of the pages, then those of the blocks. */
export function toSumBytes(
  row: SummedRow,
  { page, block }: Readonly<Record<keyof Sums, readonly number[]>>,
): Uint8Array {
  const others = Uint32Array.from([...page, ...block]);
  return new Uint8Array(Uint32Array.from([sumRow(row, others), ...others]).buffer);
}

/** `stored`: undefined in a backup from an earlier program, which has none. `pages`: their number. Throws `IndexDamaged`. */
export function readSums(
  row: SummedRow & { readonly id: bigint },
  stored: Uint8Array | null | undefined,
  pages: number,
): Sums | undefined {
  if (stored === undefined) return undefined;
  const [own, ...others] = stored === null ? [] : new Uint32Array(Uint8Array.from(stored).buffer);
  const sums = Uint32Array.from(others);
  if (own !== sumRow(row, sums))
    throw new IndexDamaged(`the search index is damaged: its segment ${row.id}`);
  return { page: sums.subarray(0, pages), block: sums.subarray(pages) };
}

export function checkSum(bytes: Uint8Array, sum: number | undefined, name: string): void {
  if (crc32(bytes) !== sum) throw new IndexDamaged(`the search index is damaged: ${name}`);
}

function sumRow(row: SummedRow, sums: Uint32Array): number {
  const { calls, first_id, last_id, firsts, first_terms } = row;
  const parts = [firsts, first_terms, new Uint8Array(sums.buffer)];
  return parts.reduce((sum, part) => crc32(part, sum), crc32(`${calls} ${first_id} ${last_id}`));
}
