// Files that a command is to write: whether they can be, found out before the work and not after it, and for whose eyes.
import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "../failures/system-error.ts";
import { UsageError } from "../failures/usage-error.ts";

/** @throws UsageError now, where writing the file would fail after a whole run. */
export function checkFolder(option: string, file: string | undefined): void {
  if (file === undefined) return;
  try {
    // Of a path that ends so a file is no part.
    accessSync(`${dirname(file)}/.`, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${option}: nothing can be written in ${dirname(file)}`, { cause: error });
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${option}: ${file} is a folder: name a file`);
}

/**
 * For what is written under another name first.
 *
 * @throws UsageError as `checkFolder` does, and where anything but a file would be replaced, such as /dev/stdout.
 */
export function checkReplaced(option: string, file: string | undefined): void {
  checkFolder(option, file);
  if (file === undefined || (lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true)) return;
  throw new UsageError(`${option}: ${file} is there and no regular file: name another file`);
}

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

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: OWNER_ONLY.folder });
  } catch (error) {
    // Not every system says of a folder that is there that it is.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
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
