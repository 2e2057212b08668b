// The lock of an export folder: only one export at a time works in it, on this machine or another.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ifMissing, isMissing } from "../../failures/system-error.ts";
import { UsageError } from "@call-media/terminal";
import { permissions } from "../../files/written-files.ts";
import { type ExportFolder, FolderGone } from "./export-folder.ts";
import {
  describeSelf,
  findWorkingHolder,
  isDeadHere,
  readHolder,
  startHeartbeat,
} from "./holder.ts";

/** A lock without a holder was made by another program, and would block forever. */
const MAX_TRIES = 100;

/**
 * Does the work while no other export works in the folder. Its signal aborts with `interrupt`, or if another export takes over the folder,
 * which may happen while this machine sleeps.
 *
 * @throws UsageError while another process works there.
 */
export async function withLock<Result>(
  { path, lock }: ExportFolder,
  interrupt: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const self = await describeSelf();
  const own = await createOwn(lock, self);
  try {
    for (let tries = 0; !(await take(own, lock)); tries++) {
      if (tries === MAX_TRIES)
        throw new UsageError(`if no other export works in ${path}, remove ${lock}`);
      await removeStale({ path, lock }, interrupt);
    }
  } catch (error) {
    await remove(own);
    throw error;
  }
  const losing = new AbortController();
  const heartbeat = startHeartbeat(toHolderFile(lock), self, () =>
    losing.abort(
      existsSync(path) ? new UsageError(`another export has taken ${path}`) : new FolderGone(path),
    ),
  );
  try {
    await removeLeftovers(lock);
    return await work(AbortSignal.any([interrupt, losing.signal]));
  } finally {
    heartbeat.end();
    if (!losing.signal.aborted) await remove(await moveAside(lock));
  }
}

/** Creates the lock under a temporary name first, so that it already has a holder when it is renamed. */
async function createOwn(lock: string, self: string): Promise<string> {
  const own = toNewName(lock);
  try {
    await mkdir(own, { mode: permissions().folder });
    await writeFile(toHolderFile(own), self, { mode: permissions().file });
    return own;
  } catch (error) {
    // Another export may have removed the empty folder as a leftover.
    if (!isMissing(error) || !existsSync(dirname(own))) throw error;
    return await createOwn(lock, self);
  }
}

const toNewName = (lock: string) => `${lock}.${randomUUID()}`;
const toHolderFile = (lock: string) => join(lock, "holder.json");

/** A rename onto a non-empty folder fails, so only one of two exports can succeed. A hard link would do the same, but exFAT has none. */
async function take(own: string, lock: string): Promise<boolean> {
  try {
    await rename(own, lock);
    return true;
  } catch (error) {
    // Windows reports EPERM instead of ENOTEMPTY.
    if ((await readHolder(toHolderFile(lock))) === undefined && !isOccupied(error)) throw error;
    return false;
  }
}

const OCCUPIED: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST"]);

const isOccupied = (error: unknown) =>
  error instanceof Error && "code" in error && OCCUPIED.has(error.code);

/** @throws UsageError if the holder is working. */
async function removeStale(
  { path, lock }: Pick<ExportFolder, "path" | "lock">,
  interrupt: AbortSignal,
): Promise<void> {
  const seen = await readHolder(toHolderFile(lock));
  if (seen === undefined) return; // released since
  const working = await findWorkingHolder(toHolderFile(lock), seen, interrupt);
  if (working !== undefined) throw new UsageError(`another export works in ${path}: ${working}`);
  const aside = await moveAside(lock);
  // A third export may have removed the stale lock first. Then this is the third export's lock, and is put back.
  const moved = await readHolder(toHolderFile(aside));
  const isOther = moved !== undefined && moved !== seen;
  if (!isOther || !(await take(aside, lock))) await remove(aside);
}

/** A partly removed lock would look like one that is being created, so it is renamed first. */
async function moveAside(lock: string): Promise<string> {
  const aside = toNewName(lock);
  await rename(lock, aside).catch(ifMissing(undefined));
  return aside;
}

/** Removes leftovers of processes that were killed while they created or removed a lock. */
async function removeLeftovers(lock: string): Promise<void> {
  const names = await readdir(dirname(lock));
  for (const name of names.filter((one) => one.startsWith(`${basename(lock)}.`))) {
    const leftover = join(dirname(lock), name);
    const holder = await readHolder(toHolderFile(leftover));
    if (holder === undefined) await rmdir(leftover).catch(() => {}); // fails if it has a holder by now
    else if (await isDeadHere(holder)) await remove(leftover);
  }
}

const remove = (path: string) => rm(path, { recursive: true, force: true });
