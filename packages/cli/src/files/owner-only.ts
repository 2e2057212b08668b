// Files and folders that nobody but their owner may read.
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "../failures/system-error.ts";

/** Whose calls they are is nobody else's business. */
export const OWNER_ONLY = { file: 0o600, folder: 0o700 } as const;

/** From now on whatever the program makes is for its owner alone: for files that a library opens. */
export function makeForOwner(): void {
  process.umask(0o077);
}

/**
 * A folder for its owner alone, and those above it. Not by `recursive` of `mkdir`: in /proc, which says of itself that it is
 * there and of what is made in it that it is not, Node.js (24.21) tries for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeOne(path);
  }
}

/** Whether others may read it all the same, as on a disk that keeps no permissions. Windows has permissions of another kind. */
export function isReadableByOthers(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: OWNER_ONLY.folder });
  } catch (error) {
    // Not every system says of a folder that is there that it is.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Takes the place of what is there, whole or not at all. */
export async function replaceForOwner(path: string, text: string): Promise<void> {
  const part = join(dirname(path), `.${randomUUID()}.part`);
  try {
    await writeFile(part, text, { mode: OWNER_ONLY.file, flag: "wx", flush: true });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** For its owner alone, also where the file was there and others could read it. What cannot be written whole is removed. */
export async function writeForOwner(path: string, text: string): Promise<void> {
  await using file = await open(path, "w", OWNER_ONLY.file);
  const isFile = (await file.stat()).isFile();
  if (isFile) await file.chmod(OWNER_ONLY.file);
  try {
    await file.writeFile(text);
  } catch (error) {
    if (isFile) await rm(path, { force: true });
    throw error;
  }
}
