// A file that only reserves space: a purge has to write before it frees any, and must work on a full disk as well.
import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DATABASE, toSize } from "./database.ts";

export const RESERVE = "purge.reserve";

const MEBIBYTE = 1_048_576;

/** Enough for one batch of records and the rows of the access log, whatever the size of the archive. */
export const RESERVE_BYTES = 8 * MEBIBYTE;

// A purge of a small archive rewrites no more than all of it; the rest is for the file that SQLite shares between its readers.
const LEAST_BYTES = MEBIBYTE / 2;

// For other processes that write to the disk, and for the last row of the purge itself.
const LEFT_BYTES = MEBIBYTE;

/** Makes the reserve as large as the archive may need it, if the disk has the room. Never throws. */
export function keepReserve(directory: string): void {
  try {
    const wanted = Math.max(
      Math.min(RESERVE_BYTES, toSize(join(directory, DATABASE))),
      LEAST_BYTES,
    );
    const { bavail, bsize } = statfsSync(directory);
    const file = join(directory, RESERVE);
    const there = toSize(file);
    const bytes = Math.min(wanted - there, bavail * bsize - LEFT_BYTES);
    if (bytes > 0) append(file, bytes);
  } catch {
    // There was less room than it seemed; what was written stays.
  }
}

// Some file systems reserve no space for zeros.
function append(file: string, bytes: number): void {
  const piece = randomBytes(Math.min(bytes, MEBIBYTE));
  const descriptor = openSync(file, "a", 0o600);
  try {
    for (
      let left = bytes;
      left > 0;
      left -= writeSync(descriptor, piece, 0, Math.min(left, piece.length))
    );
  } finally {
    closeSync(descriptor);
  }
}

/** The message for a disk so full that even without the reserve nothing could be written. */
export const toFullText = (directory: string): string =>
  `the disk of ${directory} is full: a purge needs ${RESERVE_BYTES.toLocaleString("en")} free bytes there. Make room, and run it again`;

/** Frees the reserve for the next write. */
export function releaseReserve(directory: string): void {
  rmSync(join(directory, RESERVE), { force: true });
}
