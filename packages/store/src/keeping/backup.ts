// Backups: a folder with everything an archive is made of, made beside the running service, and the way back.
import { existsSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { MEDIA } from "../media/media-path.ts";
import { openAccessOf } from "../sqlite/access/access-pairing.ts";
import { Connection } from "../sqlite/files/connection.ts";
import { ArchiveError, DATABASE, isBackup, openDatabase } from "../sqlite/files/database.ts";
import { makeFolder } from "../sqlite/files/make-folder.ts";
import { keepFromPurging } from "../sqlite/files/purge-lock.ts";
import { readSetting } from "../sqlite/settings.ts";
import { announceNext, checkSeals, readManifest, writeManifest } from "./backup-manifest.ts";
import { copyArchive, type CopyReport } from "./copy-archive.ts";
import { checkArchive } from "./open-archive.ts";
import type { OnProgress } from "./progress.ts";

export interface KeepOptions {
  readonly from: string;
  readonly to: string;
  readonly onProgress?: OnProgress;
}

/**
 * Copies the archive in `from` into the folder `to`, which is made when it is missing. The service and imports may run
 * meanwhile. An earlier backup of the same archive in `to` is brought up to date: recordings it has are not copied again,
 * and until the new one is whole it stays what it was. Throws `ArchiveError`, also while the archive is purged.
 */
export async function backUp(options: KeepOptions): Promise<CopyReport> {
  const { from } = options;
  checkArchive(from);
  if (isBackup(from)) throw new ArchiveError(`${from} is a backup: restore it, or copy its folder`);
  const lock = keepFromPurging(from);
  try {
    return await bringUpToDate(options);
  } finally {
    lock[Symbol.dispose]();
  }
}

async function bringUpToDate({ from, to, onProgress }: KeepOptions): Promise<CopyReport> {
  const archiveId = prepare(from);
  await makeFolder(to);
  await checkApart(from, to);
  using earlier = await openEarlier(to, archiveId);
  const report = await copyArchive({
    from,
    to,
    onProgress,
    fingerprintOf: earlier.fingerprintOf,
    beforePublish: (databases) => announceNext(to, databases),
  });
  const { calls, mediaFiles, mediaBytes, databases } = report;
  const createdAt = new Date().toISOString();
  await writeManifest(to, { archiveId, createdAt, calls, mediaFiles, mediaBytes }, databases);
  return report;
}

/**
 * Makes an archive in `to` from the backup in `from`. Nothing is overwritten: `to` must hold no archive, at most
 * recordings, of which those that are right are kept; so a restore that was cut off can be run again. Throws
 * `ArchiveError`.
 */
export async function restore({ from, to, onProgress }: KeepOptions): Promise<CopyReport> {
  await checkSeals(from, await readManifest(from));
  await makeFolder(to);
  await checkApart(from, to);
  const other = (await readdir(to)).find((name) => !RESTORED_INTO.some((fits) => fits(name)));
  if (other !== undefined)
    throw new ArchiveError(`${to} is not empty, it holds ${other}: give an empty folder`);
  return await copyArchive({ from, to, onProgress });
}

const RESTORED_INTO: readonly ((name: string) => boolean)[] = [
  (name) => name === MEDIA,
  (name) => name.endsWith(".part"),
  (name) => name === "lost+found", // at the root of a file system of its own
];

/** Brings the archive to the newest schema, so that its backup is one; gives the archive's id. */
function prepare(directory: string): string {
  using archive = openDatabase(directory);
  openAccessOf(archive, directory).close();
  return readSetting(archive, "archive_id");
}

/** What the earlier backup in the folder knows of its files. Throws `ArchiveError` when the folder is something else. */
async function openEarlier(
  directory: string,
  archiveId: string,
): Promise<Disposable & { readonly fingerprintOf: (sha256: string) => string | undefined }> {
  const hasArchive = existsSync(join(directory, DATABASE));
  if (hasArchive && !isBackup(directory))
    throw new ArchiveError(`${directory} is an archive and no backup: give another folder`);
  if (!hasArchive) return { fingerprintOf: () => undefined, [Symbol.dispose]: () => {} };
  if ((await readManifest(directory)).archiveId !== archiveId)
    throw new ArchiveError(`${directory} has a backup of another archive: give another folder`);
  const database = new Connection(join(directory, DATABASE), { readOnly: true });
  const find = database.prepare("SELECT fingerprint FROM media WHERE sha256 = ?");
  return {
    fingerprintOf: (sha256) => find.get(sha256)?.["fingerprint"]?.toString(),
    [Symbol.dispose]: () => database.close(),
  };
}

async function checkApart(from: string, to: string): Promise<void> {
  const [source, target] = [await realpath(from), await realpath(to)];
  const holds = (outer: string, inner: string) => `${inner}${sep}`.startsWith(`${outer}${sep}`);
  if (holds(source, target) || holds(target, source))
    throw new ArchiveError(
      `${to} and ${from} must be apart: neither may be the other or lie in it; give another folder`,
    );
}
