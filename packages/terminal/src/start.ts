// What a program does before it loads what an older Node.js does not have.
import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { findUserFolder } from "./user-folders.ts";

/** What is wrong with the Node.js that runs this, by the `engines` of the program; undefined when it is new enough. */
export function findOldNode(program: string, engines: string): string | undefined {
  const needed = engines.replace(">=", "");
  const { node } = process.versions;
  return isOlder(node, needed)
    ? `${program}: needs Node.js ${needed} or newer; this is Node.js ${node}`
    : undefined;
}

/** Number by number: `localeCompare` would first load the rules of a language, which takes 8 ms of every start. */
function isOlder(version: string, needed: string): boolean {
  const toNumbers = (text: string) => text.split(".").map(Number);
  const [own, least] = [toNumbers(version), toNumbers(needed)];
  const place = least.findIndex((number, at) => number !== own[at]);
  return place >= 0 && Number(own[place]) < Number(least[place]);
}

/**
 * The reader of what a program prints may close the pipe, as `head` does: Node.js would end with a stack trace. Any other fault of
 * standard output ends the program with `exitCode`. Nobody reads messages after a terminal was closed: the command continues.
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
 * Caches the compiled code of the program: its next start takes half the time. The cache is in the user's own folder, because
 * Node.js runs its content. The default of Node.js is a folder for temporary files, where others may write. Without a writable
 * folder there is no cache. NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 turns the cache off.
 */
export function keepCompiled(): void {
  const isElsewhere = getCompileCacheDir() !== undefined;
  if (isElsewhere || process.env["NODE_DISABLE_COMPILE_CACHE"] === "1") return;
  const folder = findUserFolder("cache", process.env);
  if (folder === undefined) return;
  if (makeFolder(dirname(folder)) && makeFolder(folder)) enableCompileCache(folder);
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
