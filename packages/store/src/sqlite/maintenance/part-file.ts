// The file of a database that is being copied. Until the copy is complete, its process holds a lock of SQLite's on an empty file beside it,
// which ends with the process: what a killed one has left is removed, and what a running one writes is not.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { LEFT_AFTER_MS } from "../../values/stray-media.ts";
import { ACCESS_DATABASE, DATABASE } from "../files/database.ts";
import { lockFile, tryLockFile } from "../files/purge-lock.ts";

/** What SQLite adds to the name of a database, and nothing. */
const ENDS = ["", "-journal", "-wal", "-shm"];

const LOCK = "-lock";

const PART = /^(.+\.part)(?:-journal|-wal|-shm|-lock)?$/;

/** True for the name of a file that an unfinished copy may have left. */
export const isOfPart = (name: string): boolean => PART.test(name);

export interface PartFile extends AsyncDisposable {
  readonly path: string;
}

/** A name for the copy of a database that will be named `to`. Whatever has the name is removed when this is disposed. */
export function beginPart(to: string): PartFile {
  const path = `${to}.${randomUUID()}.part`;
  const lock = lockFile(path + LOCK);
  return { path, [Symbol.asyncDispose]: async () => await removePart(path, lock) };
}

/** Removes what killed processes have left of copies into the directory. */
export async function removeLeftParts(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []); // another process has finished it meanwhile
  for (const name of new Set(names.flatMap((one) => PART.exec(one)?.[1] ?? []))) {
    if (![ACCESS_DATABASE, DATABASE].some((one) => name.startsWith(`${one}.`))) continue;
    const path = join(directory, name);
    if (!existsSync(path + LOCK)) await removeOld(path);
    else {
      const lock = tryLockFile(path + LOCK);
      if (lock !== undefined) await removePart(path, lock);
    }
  }
}

async function removePart(path: string, lock: Disposable): Promise<void> {
  for (const end of ENDS) await rm(path + end, { force: true });
  lock[Symbol.dispose]();
  await rm(path + LOCK, { force: true });
}

/** Those of earlier versions have no lock. */
async function removeOld(path: string): Promise<void> {
  for (const end of ENDS) {
    const found = await stat(path + end).catch(() => undefined); // finished meanwhile
    if (found !== undefined && found.mtimeMs <= Date.now() - LEFT_AFTER_MS)
      await rm(path + end, { force: true });
  }
}
