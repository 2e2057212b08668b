// One export at a time works in a folder, on this machine or another.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ifMissing } from "../../failures/system-error.ts";
import { UsageError } from "../../failures/usage-error.ts";
import { OWNER_ONLY } from "../../files/owner-only.ts";
import type { ExportFolder } from "./files.ts";
import { FolderGone } from "./folder-gone.ts";
import { describeSelf, findAtWork, keepBeating, readHolder } from "./holder.ts";

/** A folder of that name that has no holder in it was made by somebody else, and never goes away. */
const MAX_TRIES = 100;

/**
 * Does the work while nobody else works in the folder. Its signal is that of `interrupt`, and tells as well that another has
 * taken the folder all the same, as while this machine was asleep.
 *
 * @throws UsageError while another process works there.
 */
export async function withLock<Result>(
  { path, lock }: ExportFolder,
  interrupt: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const self = await describeSelf();
  const own = await makeOwn(lock, self);
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
  const beating = keepBeating(toHolderFile(lock), self, () =>
    losing.abort(
      existsSync(path) ? new UsageError(`another export has taken ${path}`) : new FolderGone(path),
    ),
  );
  try {
    return await work(AbortSignal.any([interrupt, losing.signal]));
  } finally {
    beating.end();
    if (!losing.signal.aborted) await remove(await moveAside(lock));
  }
}

/** A lock is a folder with its holder in it, complete before it gets its name. */
async function makeOwn(lock: string, self: string): Promise<string> {
  const own = toNewName(lock);
  await mkdir(own, { mode: OWNER_ONLY.folder });
  await writeFile(toHolderFile(own), self, { mode: OWNER_ONLY.file });
  return own;
}

const toNewName = (lock: string) => `${lock}.${randomUUID()}`;
const toHolderFile = (lock: string) => join(lock, "holder.json");

/**
 * A folder takes the place of none that has something in it, so that of two only one gets the name. Links would do as well,
 * but exFAT, which many portable disks have, knows none.
 */
async function take(own: string, lock: string): Promise<boolean> {
  try {
    await rename(own, lock);
    return true;
  } catch (error) {
    // Not every system calls it ENOTEMPTY.
    if ((await readHolder(toHolderFile(lock))) === undefined && !isOccupied(error)) throw error;
    return false;
  }
}

const OCCUPIED: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST"]);

const isOccupied = (error: unknown) =>
  error instanceof Error && "code" in error && OCCUPIED.has(error.code);

/** @throws UsageError where its holder is at work. */
async function removeStale(
  { path, lock }: Pick<ExportFolder, "path" | "lock">,
  interrupt: AbortSignal,
): Promise<void> {
  const seen = await readHolder(toHolderFile(lock));
  if (seen === undefined) return; // given back meanwhile
  const atWork = await findAtWork(toHolderFile(lock), seen, interrupt);
  if (atWork !== undefined) throw new UsageError(`another export works in ${path}: ${atWork}`);
  const aside = await moveAside(lock);
  // Somebody else may have removed the same and taken the folder since: then it is theirs.
  const moved = await readHolder(toHolderFile(aside));
  const isTheirs = moved !== undefined && moved !== seen;
  if (!isTheirs || !(await take(aside, lock))) await remove(aside);
}

/** In one step: what is being removed would look as if it were being made. */
async function moveAside(lock: string): Promise<string> {
  const aside = toNewName(lock);
  await rename(lock, aside).catch(ifMissing(undefined));
  return aside;
}

const remove = (path: string) => rm(path, { recursive: true, force: true });
