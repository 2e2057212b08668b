// What the sums of a table say of its rows: how many were written, and the sum of the first 32 bits of their digests. They stand for rows
// that are gone, of which nothing else is left. Who removes rows and knows how to write sums is not found by them.
import { ROW_DIGEST_BYTES } from "./row-digest.ts";

export interface RowSum {
  readonly table: string;
  /** How many were written; undefined where the table has no sum. */
  readonly written: number | undefined;
  /** How many are there. */
  readonly found: number;
  /** True if these have the sum of those that were written. */
  readonly isSame: boolean;
}

/** Names the table with what is wrong with its rows, for an operator; undefined if they are those that were written. */
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

/** True if rows are gone or came along: of as many others each may be named by itself. */
export const isOtherNumber = ({ written, found }: RowSum): boolean => written !== found;

/** Of a digest as the database has it. */
export function toDigestNumber(digest: unknown): number {
  if (!(digest instanceof Uint8Array) || digest.length < ROW_DIGEST_BYTES) return 0;
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0);
}
