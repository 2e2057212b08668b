// Detects that a database cannot be used because the disk is full. SQLite needs free space even for reading. On a full disk it
// reports an I/O error, or a file that it cannot open.
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { isNoRoom, MAKE_ROOM } from "../../media/files.ts";
import { StoreFault } from "../../port/index.ts";

const SQLITE_FULL = 13;

// SQLITE_IOERR and SQLITE_CANTOPEN.
const MAY_BE_FULL: ReadonlySet<number> = new Set([10, 14]);

// A reader allocates 32 KiB for its index of the log, and frees them if that fails; others allocate some meanwhile.
const LEAST_ROOM_BYTES = 128 * 1024;

/** True if SQLite could not write because the disk is full. */
export function isFull(failure: unknown): boolean {
  return (
    failure instanceof Error && "errcode" in failure && toCode(failure.errcode) === SQLITE_FULL
  );
}

// The other bits give more detail.
const toCode = (errcode: unknown): number => Number(errcode) & 255;

/** True if `failure`, of work on the database `file`, comes from a full disk. */
export function isOfFullDisk(failure: unknown, file: string): boolean {
  if (!(failure instanceof Error)) return false;
  if (isNoRoom(failure)) return true;
  if (!("errcode" in failure)) return false;
  const code = toCode(failure.errcode);
  return (
    code === SQLITE_FULL || (MAY_BE_FULL.has(code) && lacksRoom(dirname(file), LEAST_ROOM_BYTES))
  );
}

/**
 * The error to throw for a failure to write `file`: `StoreFault` on a full disk, because neither the system nor SQLite
 * names the file.
 */
export function toWriteFailure(failure: unknown, file: string): unknown {
  if (!isOfFullDisk(failure, file)) return failure;
  return new StoreFault("full", `${file} cannot be written: ${MAKE_ROOM}`, { cause: failure });
}

/** True if the disk has fewer free bytes, or cannot hold one more file. */
export function lacksRoom(directory: string, leastBytes: number): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(directory);
    // Some file systems do not limit the number of files.
    return bavail * bsize < leastBytes || (files > 0 && ffree === 0);
  } catch {
    return false; // the disk fails in another way
  }
}
