// One export at a time works in a folder. Whoever died in it is told by its process, which is no more.
import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
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

/**
 * Does the work while nobody else works in the folder.
 *
 * @throws UsageError while another process works there.
 */
export async function withLock<Result>(
  { path, lock }: ExportFolder,
  work: () => Promise<Result>,
): Promise<Result> {
  const own = `${lock}.${randomUUID()}`;
  const holder = { host: hostname(), pid: process.pid, began: await readBeginning(process.pid) };
  const text = JSON.stringify(holder satisfies Holder);
  await writeFile(own, text, { mode: OWNER_ONLY.file, flag: "wx" });
  try {
    while (!(await take(own, lock))) await removeStale(path, lock);
  } finally {
    await rm(own);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** A link is made or refused at once, so that of two only one gets it. */
async function take(own: string, lock: string): Promise<boolean> {
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function removeStale(path: string, lock: string): Promise<void> {
  const seen = await readLock(lock);
  if (seen === undefined) return; // given back meanwhile
  await checkStale(path, lock, seen);
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  // Somebody else may have removed the same and taken the folder since: then it is theirs.
  const moved = await readLock(aside);
  if (moved !== undefined && moved !== seen) await take(aside, lock);
  await rm(aside, { force: true });
}

async function checkStale(path: string, lock: string, text: string): Promise<void> {
  const holder = parseJson(text);
  if (typeof holder !== "object" || holder === null) return; // cut off while it was written
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
  return await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

/** proc(5): field 22 of stat, which comes after the name in brackets. Other systems have no such file. */
async function readBeginning(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
