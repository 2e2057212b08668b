// How this program writes files: for their owner alone, or with --group-readable for the group too, and whole or not at all.
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "../failures/system-error.ts";
import { io } from "../io.ts";

const OWNER = { file: 0o600, folder: 0o700, umask: 0o077 } as const;
const OWNER_AND_GROUP = { file: 0o640, folder: 0o750, umask: 0o027 } as const;

/** Whose calls they are is nobody else's business, unless --group-readable says whose it is. */
export const permissions = () => (io().manner.isForGroup ? OWNER_AND_GROUP : OWNER);

/** From now on whatever the program makes has these permissions: for files that a library opens. */
export function setUmask(): void {
  process.umask(permissions().umask);
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
  return process.platform !== "win32" && (statSync(path).mode & permissions().umask) !== 0;
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: permissions().folder });
  } catch (error) {
    // Not every system says of a folder that is there that it is.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** A file that takes the place of what is there when it is finished, and leaves nothing if it never is. */
export interface Replacement extends AsyncDisposable {
  readonly write: (content: string | Uint8Array) => Promise<void>;
  readonly finish: () => Promise<void>;
}

/** A device or a pipe is not replaced, but written to. */
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
