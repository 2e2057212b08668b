// Folders that are made where they are missing.
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

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
