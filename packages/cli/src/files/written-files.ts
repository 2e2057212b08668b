// Writes files completely or not at all, private to their owner, or with --group-readable to their group.
import { randomUUID } from "node:crypto";
import { constants, statSync } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "../failures/system-error.ts";
import { io } from "@call-media/terminal";

const OWNER = { file: 0o600, folder: 0o700, umask: 0o077 } as const;
const OWNER_AND_GROUP = { file: 0o640, folder: 0o750, umask: 0o027 } as const;

/** Files of calls are private, unless --group-readable is given. */
export const permissions = () => (io().manner.isForGroup ? OWNER_AND_GROUP : OWNER);

/** Sets the permissions of files that libraries create. */
export function setUmask(): void {
  process.umask(permissions().umask);
}

/**
 * Creates a private folder, and missing folders above it. `recursive` of `mkdir` would never end in /proc (Node.js 24.21):
 * /proc exists, but creating a folder in it fails as if it did not.
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

/** A new file that replaces an existing one. A link is replaced, and its target stays. */
export async function openAnew(path: string): Promise<FileHandle> {
  await rm(path, { force: true });
  return await open(path, "wx", permissions().file);
}

/** Opens an existing file to append to it. Fails for a link. Windows has no such flag, but few users may create links there. */
export async function openToAdd(path: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
  return await open(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
}

/** True if others may still read it, for example on a disk without permissions. Windows has a different kind of permissions. */
export function isReadableByOthers(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & permissions().umask) !== 0;
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: permissions().folder });
  } catch (error) {
    // Some systems report another error than EEXIST for an existing folder.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** A file that replaces the existing one when it is finished, and is removed otherwise. */
export interface Replacement extends AsyncDisposable {
  readonly write: (content: string | Uint8Array) => Promise<void>;
  readonly finish: () => Promise<void>;
}

/** Devices and pipes are written to, not replaced. */
export async function openReplacement(path: string): Promise<Replacement> {
  const there = statSync(path, { throwIfNoEntry: false });
  const isReplaced = there?.isFile() ?? true;
  const target = there === undefined ? path : await realpath(path);
  const part = isReplaced ? join(dirname(target), `.${randomUUID()}.part`) : path;
  const file = await open(part, isReplaced ? "wx" : "w", permissions().file);
  let isFinished = !isReplaced;
  return {
    write: (content) => file.appendFile(content),
    async finish() {
      if (!isReplaced) return;
      await file.sync();
      await rename(part, target);
      isFinished = true;
    },
    async [Symbol.asyncDispose]() {
      await file.close();
      if (!isFinished) await rm(part, { force: true });
    },
  };
}

export async function replaceFile(path: string, content: string): Promise<void> {
  await using file = await openReplacement(path);
  await file.write(content);
  await file.finish();
}
