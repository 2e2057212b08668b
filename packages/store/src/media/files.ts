// Creates missing directories, opens files without waiting, and syncs directories to disk.
import { constants, statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Opens for reading without ever waiting. The path may turn out not to be a file: opening a pipe that has no writer would otherwise
 * block one of the few file system threads forever. Windows has neither such pipes nor this flag.
 */
export const READ_AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;

const OWNER_ONLY = 0o700;

/**
 * Creates the directory and its parents. `mkdir` with `recursive` would do so too, but on a read-only file system it fails with ENOENT
 * even if the parent exists.
 */
export async function makeFolder(path: string, mode = OWNER_ONLY): Promise<void> {
  if (isFolder(path)) return;
  const parent = dirname(resolve(path));
  if (parent !== path) await makeFolder(parent, mode);
  await mkdir(path, { mode }).catch((error: unknown) => {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error;
  });
}

// If the path cannot be examined, creating something in it reports the error.
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Resolves when the directory's current names are on the disk. A file's own `sync` covers only its content. */
export async function syncFolder(directory: string): Promise<void> {
  // Windows journals names itself and rejects this request.
  if (process.platform === "win32") return;
  await using folder = await open(directory);
  await folder.sync();
}

/** Advice to the operator for a full disk. */
export const MAKE_ROOM = "the disk is full: make room on it, then try again";

const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** True if the system refused to write because no space is left. */
export function isNoRoom(error: Error): boolean {
  return "code" in error && NO_ROOM.has(error.code);
}
