// Copies files into the archive's directory of recordings: each is written completely, then named by its content.
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Media, type MediaSource, StoreFault } from "../port/index.ts";
import { isNoRoom, MAKE_ROOM } from "./files.ts";
import { readFingerprint } from "./fingerprint.ts";
import { LEFT_AFTER_MS } from "../values/stray-media.ts";
import { isUnfinished, toMediaPath, toUnfinished } from "./media-path.ts";
import { readSource } from "./read-source.ts";

/** Gives a complete file its name, and returns its fingerprint afterwards. */
type Move = (temporary: string, target: string) => Promise<string>;

const move: Move = async (temporary, target) => {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await rename(temporary, target);
  // Renaming changes the fingerprint, so it is read afterwards.
  return await readFingerprint(target);
};

// More than are copied in parallel.
const LATEST_FILES = 64;

/** When equal files arrive in parallel, the first stays: if it were replaced, its outdated fingerprint could be recorded last. */
export function createMove(): Move {
  const latest = new Map<string, Promise<string>>();
  return async (temporary, target) => {
    const before = await latest.get(target)?.catch(() => undefined);
    if (before !== undefined && before === (await readFingerprint(target).catch(() => undefined)))
      return before;
    const moved = move(temporary, target);
    latest.set(target, moved);
    const [oldest] = latest.keys();
    if (latest.size > LATEST_FILES && oldest !== undefined) latest.delete(oldest);
    return await moved;
  };
}

/** Copies the source into the directory, completely or not at all. Throws `MediaRejected`, and `StoreFault` on a full disk. */
export async function takeIn(
  directory: string,
  source: MediaSource,
  moveIn: Move = move,
): Promise<Media> {
  const temporary = toUnfinished(directory);
  try {
    const media = await copy(source, temporary);
    const version = await moveIn(temporary, toMediaPath(directory, media.sha256));
    return { ...media, version };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes incomplete files of programs that were interrupted. Never throws: such files do no harm. */
export async function removeLeft(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter(isUnfinished)) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined); // deleted meanwhile
    if (found !== undefined && found.mtimeMs <= Date.now() - LEFT_AFTER_MS)
      await rm(path, { force: true }).catch(() => {});
  }
}

async function copy(source: MediaSource, target: string): Promise<Media> {
  const file = await open(target, "wx", 0o600);
  try {
    const media = await readSource(source, (chunk) => file.writeFile(chunk));
    await file.sync();
    return media;
  } catch (error) {
    throw error instanceof Error && isNoRoom(error) ? toFull(error, dirname(target)) : error;
  } finally {
    await file.close();
  }
}

const toFull = (cause: Error, folder: string) =>
  new StoreFault("full", `${folder} cannot be written: ${MAKE_ROOM}`, { cause });
