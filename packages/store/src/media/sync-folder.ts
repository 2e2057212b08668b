// Names of files that survive a loss of power.
import { open } from "node:fs/promises";

/** Resolves when the names that the folder has now are on the disk; of a file, its own `sync` settles the content alone. */
export async function syncFolder(directory: string): Promise<void> {
  // Windows writes names to its journal by itself, and refuses to be asked.
  if (process.platform === "win32") return;
  await using folder = await open(directory);
  await folder.sync();
}
