// Files and folders: made where they are missing, opened without waiting, and on the disk when that is said.
import { constants, statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Opens for reading and never waits; what it opens may be no file. Who opens a pipe that nobody writes to waits without end
 * otherwise, in one of the few threads that read files. Windows has no such pipes, and no such flag.
 */
export const READ_AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;

const OWNER_ONLY = 0o700;

/**
 * Makes the folder, and those that it lies in. `mkdir` with `recursive` would do so as well, but on a disk that can only be read
 * it says ENOENT, of a folder whose parent is there.
 */
export async function makeFolder(path: string, mode = OWNER_ONLY): Promise<void> {
  if (isFolder(path)) return;
  const parent = dirname(resolve(path));
  if (parent !== path) await makeFolder(parent, mode);
  await mkdir(path, { mode }).catch((error: unknown) => {
    // Somebody else may have made it meanwhile.
    if (!isFolder(path)) throw error;
  });
}

// What may not be looked at says so when something is to be made in it.
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Resolves when the names that the folder has now are on the disk; of a file, its own `sync` settles the content alone. */
export async function syncFolder(directory: string): Promise<void> {
  // Windows writes names to its journal by itself, and refuses to be asked.
  if (process.platform === "win32") return;
  await using folder = await open(directory);
  await folder.sync();
}

/** What an operator can do about a full disk. */
export const MAKE_ROOM = "the disk is full: make room on it, then try again";

const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Whether the system has refused to write for want of room. */
export function isNoRoom(error: Error): boolean {
  return "code" in error && NO_ROOM.has(error.code);
}
