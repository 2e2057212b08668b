// Caches the compiled code of this program for its next start, which then takes less than half the time.
import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { homedir } from "node:os";
import { dirname } from "node:path";

/**
 * The cache is in the user's own cache folder (XDG_CACHE_HOME or ~/.cache, ~/Library/Caches, %LOCALAPPDATA%). Node.js
 * runs the cached code, and its default is a folder for temporary files, where others may write. Where nothing can be
 * kept, nothing is. NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 keeps nothing.
 */
export async function keepCompiled(): Promise<void> {
  const isElsewhere = getCompileCacheDir() !== undefined;
  if (isElsewhere || process.env["NODE_DISABLE_COMPILE_CACHE"] === "1" || !hasHome()) return;
  const { default: envPaths } = await import("env-paths"); // which asks for the home as soon as it is loaded
  const folder = envPaths("call-media", { suffix: "" }).cache;
  if (makeFolder(dirname(folder)) && makeFolder(folder)) enableCompileCache(folder);
}

// Without HOME, of a user for whom the system has no name, it throws.
function hasHome(): boolean {
  try {
    return homedir() !== "";
  } catch {
    return false;
  }
}

// Not left to Node.js: below a home in /proc, which has no file and takes none, it tries for ever to make one.
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return existsSync(folder);
  }
}
