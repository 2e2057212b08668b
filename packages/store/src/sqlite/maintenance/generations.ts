// Backups as generations: one directory for each, named by its time. They share the recordings and the ledger: each links to
// both, and is read like any other backup.
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { LEDGER } from "../../media/ledger-folder.ts";
import { makeFolder, syncFolder } from "../../media/files.ts";
import { MEDIA } from "../../media/media-path.ts";
import { ArchiveError, DATABASE, isBackup } from "../files/database.ts";
import { readManifest } from "./backup-manifest.ts";
import { openReadOnly } from "./open-archive.ts";
import { removeLeftParts } from "./part-file.ts";

/** ISO 8601, without the colons that some file systems reject. */
const NAME = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/;

const UNFINISHED = /^\.generation-\w{6}$/;

// Longer than any backup takes, so that a backup in progress is not deleted.
const LEFT_AFTER_MS = 7 * 86_400_000;

/** The directories of all finished generations, oldest first; empty if the directory cannot be read. */
export function listGenerations(directory: string): readonly string[] {
  const names = listNames(directory).filter((name) => NAME.test(name));
  const folders = names.toSorted().map((name) => join(directory, name));
  return folders.filter((folder) => isBackup(folder));
}

// The operation on the directory itself reports why it cannot be read.
function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** True for a file of a generation that was not finished, or not removed to its end. */
export const isInUnfinished = (file: string): boolean =>
  file.split(sep).some((name) => UNFINISHED.test(name));

/** The newest generation in the directory; the directory itself if it has none. */
export const toNewest = (directory: string): string =>
  existsSync(join(directory, DATABASE))
    ? directory
    : (listGenerations(directory).at(-1) ?? directory);

/** The directory of all generations that the backup belongs to; a backup of one state is its own. */
export const toBackupRoot = (directory: string): string =>
  NAME.test(basename(directory)) ? dirname(directory) : directory;

export interface NewBackup extends AsyncDisposable {
  readonly directory: string;
  /** Makes it a backup, once its manifest exists. */
  publish(createdAt: string): Promise<void>;
}

/** A backup of one state is updated in place, and never abandoned. Throws `ArchiveError` for a directory of the other kind. */
export async function beginBackup(to: string, keepDays: number | undefined): Promise<NewBackup> {
  const hasGenerations = listGenerations(to).length > 0;
  if (keepDays === undefined && hasGenerations)
    throw new ArchiveError(`${to} has generations of backups: give --keep-days, or another folder`);
  if (keepDays !== undefined && existsSync(join(to, DATABASE)))
    throw new ArchiveError(
      `${to} has a backup of one state: leave --keep-days out, or give another folder`,
    );
  if (keepDays !== undefined) return await beginGeneration(to);
  return { directory: to, publish: async () => {}, [Symbol.asyncDispose]: async () => {} };
}

// It is not a generation until it has its name. A later backup removes the remains of an interrupted one.
async function beginGeneration(to: string): Promise<NewBackup> {
  await removeLeft(to);
  const directory = await mkdtemp(join(to, ".generation-"));
  try {
    for (const name of [MEDIA, LEDGER]) {
      await makeFolder(join(to, name));
      await symlink(join("..", name), join(directory, name));
    }
  } catch (cause) {
    await rm(directory, { recursive: true, force: true });
    const text = `${to} cannot have generations of backups, which need symbolic links (${String(cause)}): give a folder on another file system, or leave --keep-days out`;
    throw new ArchiveError(text, { cause });
  }
  return {
    directory,
    publish: async (createdAt) => {
      await syncFolder(directory);
      await rename(directory, join(to, createdAt.replaceAll(":", "")));
      await syncFolder(to);
    },
    [Symbol.asyncDispose]: async () => await rm(directory, { recursive: true, force: true }),
  };
}

/** Deletes the generations older than these days, and returns their names. Called when a new generation exists. */
export async function dropGenerations(to: string, keepDays: number): Promise<readonly string[]> {
  const since = Date.now() - keepDays * 86_400_000;
  const dropped: string[] = [];
  for (const folder of listGenerations(to)) {
    const { createdAt } = await readManifest(folder);
    if (Date.parse(createdAt) >= since) continue;
    // A half-deleted generation must not be mistaken for a backup.
    const going = await mkdtemp(join(to, ".generation-"));
    await rename(folder, join(going, basename(folder)));
    await rm(going, { recursive: true, force: true });
    dropped.push(basename(folder));
  }
  return dropped;
}

async function removeLeft(to: string): Promise<void> {
  for (const name of await readdir(to)) {
    if (!UNFINISHED.test(name)) continue;
    const folder = join(to, name);
    const found = await stat(folder).catch(() => undefined); // finished meanwhile
    if (found !== undefined && found.mtimeMs <= Date.now() - LEFT_AFTER_MS)
      await rm(folder, { recursive: true, force: true });
    else if (found !== undefined) await removeLeftParts(folder);
  }
}

/** Finds contents that another generation in the same directory names: those are not orphaned. */
export function openOthers(
  directory: string,
): Disposable & { readonly has: (sha256: string) => boolean } {
  const root = toBackupRoot(directory);
  const others = root === directory ? [] : listGenerations(root).filter((one) => one !== directory);
  let open: readonly DatabaseSync[] | undefined;
  return {
    has: (sha256) => {
      open ??= others.map((folder) => openReadOnly(join(folder, DATABASE)));
      return open.some(
        (one) => one.prepare("SELECT 1 FROM media WHERE sha256 = ?").get(sha256) !== undefined,
      );
    },
    [Symbol.dispose]: () => {
      for (const one of open ?? []) one.close();
    },
  };
}
