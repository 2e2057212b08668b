// Files that are opened, written and named on this thread: what is written waits in memory until it is synced, so that the
// way to another thread and back would take several times as long.
import {
  closeSync,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  renameSync,
  writevSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isMissing } from "../../failures/system-error.ts";
import { OWNER_ONLY } from "../../files/owner-only.ts";

/** A file that grows. */
export interface OpenFile extends Disposable {
  /** Goes on where it stands. */
  readonly write: (pieces: readonly Uint8Array[]) => void;
  /** What was written is on the disk when it resolves. */
  readonly sync: () => Promise<void>;
}

const datasync = promisify(fdatasync);

/** `w`: made anew. `a`: gone on with at its end. */
export function openFile(path: string, flags: "w" | "a"): OpenFile {
  const fd = openSync(path, flags, OWNER_ONLY.file);
  return {
    write: (pieces) => writeAll(fd, pieces),
    sync: () => datasync(fd),
    [Symbol.dispose]: () => closeSync(fd),
  };
}

/** From `at` on, or where the file stands. A disk may take less than it is given. */
export function writeAll(fd: number, pieces: readonly Uint8Array[], at?: number): void {
  let [rest, done] = [pieces, 0];
  while (rest.length > 0) {
    const written = writevSync(fd, rest, at === undefined ? undefined : at + done);
    rest = skipBytes(rest, written);
    done += written;
  }
}

function skipBytes(pieces: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let left = count;
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(left);
    left = Math.max(0, left - piece.length);
    return rest.length > 0 ? rest : [];
  });
}

/** Renames, and makes the folder where it is the first file of it. The name is not on the disk yet. */
export function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // With the file all of the export may be gone, and no empty folders take its place.
    if (!isMissing(error) || !existsSync(from)) throw error;
    mkdirSync(dirname(to), { recursive: true, mode: OWNER_ONLY.folder });
    renameSync(from, to);
  }
}
