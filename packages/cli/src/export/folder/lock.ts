// One export at a time works in a folder. Whoever died in it is told by its process, which is no more.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isMissing } from "../../failures/system-error.ts";
import { UsageError } from "../../failures/usage-error.ts";
import { OWNER_ONLY } from "../../files/owner-only.ts";
import type { ExportFolder } from "./files.ts";
import { parseJson } from "./parse-json.ts";

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** When the process began, as the system counts it: a pid is given out again. Empty where that is not known. */
  readonly began: string;
}

/** A folder of that name that has no holder in it was made by somebody else, and never goes away. */
const MAX_TRIES = 100;

/**
 * Does the work while nobody else works in the folder.
 *
 * @throws UsageError while another process works there.
 */
export async function withLock<Result>(
  { path, lock }: ExportFolder,
  work: () => Promise<Result>,
): Promise<Result> {
  const own = await makeOwn(lock);
  try {
    for (let tries = 0; !(await take(own, lock)); tries++) {
      if (tries === MAX_TRIES)
        throw new UsageError(`if no other export works in ${path}, remove ${lock}`);
      await removeStale(path, lock);
    }
  } catch (error) {
    await remove(own);
    throw error;
  }
  try {
    return await work();
  } finally {
    await remove(await moveAside(lock));
  }
}

/** A lock is a folder with its holder in it, complete before it gets its name. */
async function makeOwn(lock: string): Promise<string> {
  const own = toNewName(lock);
  const holder = { host: hostname(), pid: process.pid, began: await readBeginning(process.pid) };
  await mkdir(own, { mode: OWNER_ONLY.folder });
  await writeFile(toHolder(own), JSON.stringify(holder satisfies Holder), {
    mode: OWNER_ONLY.file,
  });
  return own;
}

const toNewName = (lock: string) => `${lock}.${randomUUID()}`;
const toHolder = (lock: string) => join(lock, "holder.json");

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
    if ((await readLock(lock)) === undefined && !isOccupied(error)) throw error;
    return false;
  }
}

const OCCUPIED: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST"]);

const isOccupied = (error: unknown) =>
  error instanceof Error && "code" in error && OCCUPIED.has(error.code);

async function removeStale(path: string, lock: string): Promise<void> {
  const seen = await readLock(lock);
  if (seen === undefined) return; // given back meanwhile
  await checkStale(path, lock, seen);
  const aside = await moveAside(lock);
  // Somebody else may have removed the same and taken the folder since: then it is theirs.
  const moved = await readLock(aside);
  const isTheirs = moved !== undefined && moved !== seen;
  if (!isTheirs || !(await take(aside, lock))) await remove(aside);
}

/** In one step: what is being removed would look as if it were being made. */
async function moveAside(lock: string): Promise<string> {
  const aside = toNewName(lock);
  await rename(lock, aside).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  return aside;
}

const remove = (path: string) => rm(path, { recursive: true, force: true });

async function checkStale(path: string, lock: string, text: string): Promise<void> {
  const holder = parseJson(text);
  if (typeof holder !== "object" || holder === null) return; // no file of ours
  const { host, pid = 0, began } = holder as Partial<Holder>;
  if (host !== hostname())
    throw new UsageError(
      `an export of ${host} works in ${path}: if that is no longer so, remove ${lock}`,
    );
  if (isAlive(pid) && (await readBeginning(pid)) === began)
    throw new UsageError(`another export works in ${path}: it is process ${pid}`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, but of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function readLock(path: string): Promise<string | undefined> {
  return await readFile(toHolder(path), "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

/** proc(5): field 22 of stat, which comes after the name in brackets. Other systems have no such file. */
async function readBeginning(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
