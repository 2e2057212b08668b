// Checks and settings before a program loads code that an older Node.js cannot run.
import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { findUserFolder } from "./user-folders.ts";

/** Describes a Node.js too old for the `engines` of the program; undefined if it is new enough. */
export function findOldNode(program: string, engines: string): string | undefined {
  const needed = engines.replace(">=", "");
  const { node } = process.versions;
  return isOlder(node, needed)
    ? `${program}: needs Node.js ${needed} or newer; this is Node.js ${node}`
    : undefined;
}

/** Compares numerically; `localeCompare` would load collation rules first, 8 ms of every start. */
function isOlder(version: string, needed: string): boolean {
  const toNumbers = (text: string) => text.split(".").map(Number);
  const [own, least] = [toNumbers(version), toNumbers(needed)];
  const place = least.findIndex((number, at) => number !== own[at]);
  return place >= 0 && Number(own[place]) < Number(least[place]);
}

/**
 * A reader of standard output such as `head` may close the pipe. Without a handler, Node.js would end with a stack trace. Any
 * other error of standard output ends the program with `exitCode`. Errors of standard error are ignored: after a terminal
 * closes, nobody reads messages, and the command continues.
 */
export function outliveReaders(program: string, exitCode: number): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    console.error(`${program}: standard output is not complete: ${error.message}`);
    process.exit(exitCode);
  });
  process.stderr.on("error", () => {});
}

/**
 * Caches the compiled code of the program, which halves the time of its next start. The cache is in the user's own folder,
 * because Node.js runs its content; the default of Node.js is a folder for temporary files, where others may write. If no folder
 * is writable, nothing is cached. NODE_COMPILE_CACHE names another folder; NODE_DISABLE_COMPILE_CACHE=1 turns the cache off.
 */
export function keepCompiled(): void {
  const isElsewhere = getCompileCacheDir() !== undefined;
  if (isElsewhere || process.env["NODE_DISABLE_COMPILE_CACHE"] === "1") return;
  const folder = findUserFolder("cache", process.env);
  if (folder === undefined) return;
  if (makeFolder(dirname(folder)) && makeFolder(folder)) enableCompileCache(folder);
}

// Not left to Node.js: if the home is below /proc, where no folder can be created, Node.js would retry forever.
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return existsSync(folder);
  }
}
