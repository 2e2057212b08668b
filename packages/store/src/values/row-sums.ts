// The sums of a table: the number of rows written, and the sum of the first 32 bits of their digests. They reveal missing rows, of which
// nothing else is left. They do not reveal a person who removes rows and knows how to adjust the sums.
import { ROW_DIGEST_BYTES } from "./row-digest.ts";

export interface RowSum {
  readonly table: string;
  /** The number of rows written; undefined if the table has no sum. */
  readonly written: number | undefined;
  /** The number of rows found. */
  readonly found: number;
  /** True if these have the sum of the written rows. */
  readonly isSame: boolean;
}

/** Names the table and the fault of its rows, for an operator; undefined if they are those that were written. */
export function describeRows({ table, written, found, isSame }: RowSum): string | undefined {
  const fault =
    written === undefined
      ? "how many rows were written is gone"
      : found < written
        ? `${written - found} of ${written} rows missing`
        : found > written
          ? `${found} rows, and ${written} were written`
          : "other rows than were written";
  return isSame && written === found ? undefined : `the table ${table} (${fault})`;
}

/** True if rows are missing or were added. If only their digests differ, each damaged row is named separately. */
export const isOtherNumber = ({ written, found }: RowSum): boolean => written !== found;

/** Converts a digest from the database. */
export function toDigestNumber(digest: unknown): number {
  if (!(digest instanceof Uint8Array) || digest.length < ROW_DIGEST_BYTES) return 0;
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0);
}
