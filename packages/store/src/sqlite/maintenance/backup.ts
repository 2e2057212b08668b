// Backups: copies everything an archive consists of into a directory while the service runs, and restores it.
import { existsSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { OperatorAct } from "../../port/access-log.ts";
import { createLedgerFolder, LEDGER } from "../../media/ledger-folder.ts";
import { createMediaFolder } from "../../media/media-folder.ts";
import { MEDIA } from "../../media/media-path.ts";
import { openAccessOf } from "../access/access-pairing.ts";
import { recordAct } from "../access/operator-row.ts";
import { findLoss } from "../access/access-witness.ts";
import { Connection } from "../files/connection.ts";
import {
  ACCESS_DATABASE,
  ArchiveError,
  DATABASE,
  isBackup,
  openDatabase,
} from "../files/database.ts";
import { makeFolder } from "../../media/files.ts";
import { keepFromPurging } from "../files/purge-lock.ts";
import { checkMigratedIn, readSetting } from "../settings.ts";
import {
  announceNext,
  type BackupManifest,
  checkSeals,
  readManifest,
  writeManifest,
} from "./backup-manifest.ts";
import { copyArchive } from "./copy-archive.ts";
import { checkArchive, openReadOnly } from "./open-archive.ts";
import { isOfPart } from "./part-file.ts";
import { forgetUnfinished, isUnfinished } from "./unfinished-copy.ts";
import type {
  BackupReport,
  CopyOptions,
  ErasedAgain,
  RestoreReport,
  SkippedLedger,
} from "../../port/maintenance.ts";
import { copyEntries, readBehind } from "../../values/ledger.ts";
import { copyHolds, listLost, readHolds } from "../../values/ledger-holds.ts";
import { noteBackup, noteRestored } from "./backup-ledgers.ts";
import { catchUpAlone, comeUp, skipLedger } from "./catch-up.ts";
import { type OwnLedger, readHead, toLedger } from "./ledger.ts";
import { listGoneSound, removeErasedSound } from "./erased-sound.ts";
import { beginBackup, dropGenerations, toNewest } from "./generations.ts";
import { openAlone } from "./open-alone.ts";

export interface KeepOptions extends CopyOptions {
  readonly from: string;
  readonly to: string;
}

const openLedger = (directory: string) => createLedgerFolder(join(directory, LEDGER));

/**
 * Copies the archive in `from` into the directory `to`, which is made if it is missing. The service and imports may run meanwhile. If `to`
 * has an earlier backup of the same archive, it is updated, and recordings that it has are not copied again. The old backup stays valid
 * until the new one is complete. Throws `ArchiveError`, also while the archive is purged.
 */
export async function backUp(options: KeepOptions): Promise<BackupReport> {
  const { from } = options;
  checkArchive(from);
  if (isBackup(from)) throw new ArchiveError(`${from} is a backup: restore it, or copy its folder`);
  await comeUp({ directory: from, media: createMediaFolder(join(from, MEDIA)) });
  const lock = keepFromPurging(from);
  try {
    return await bringUpToDate(options);
  } finally {
    lock[Symbol.dispose]();
  }
}

async function bringUpToDate(options: KeepOptions): Promise<BackupReport> {
  const { from, to, keepDays, onProgress, operator } = options;
  const archiveId = prepare(from);
  await makeFolder(to);
  await checkApart(from, to);
  await using backup = await beginBackup(to, keepDays);
  const { directory } = backup;
  using earlier = await openEarlier(toNewest(to), { from, archiveId });
  noteBackup(from, to);
  const asked = { to, ...(keepDays !== undefined && { keep_days: keepDays }) };
  if (operator !== undefined) recordBackup(from, { operation: "backup", operator, asked });
  const report = await copyArchive({
    from,
    to: directory,
    onProgress,
    fingerprintOf: earlier.fingerprintOf,
    beforePublish: (databases) => announceNext(directory, databases),
  });
  await copyEntries(openLedger(from), openLedger(to));
  await copyHolds(openLedger(from), openLedger(to), archiveId);
  const { databases, calls, mediaFiles, mediaBytes, accessHead } = report;
  const createdAt = new Date().toISOString();
  const facts = { archiveId, createdAt, keepDays, calls, mediaFiles, mediaBytes, accessHead };
  await writeManifest(directory, facts, databases);
  await forgetUnfinished(directory);
  await backup.publish(createdAt);
  // What the newest generation lacks may exist only in an earlier one.
  const isWhole = report.damages.length + report.damagedRecords.length === 0;
  const dropped = keepDays === undefined || !isWhole ? [] : await dropGenerations(to, keepDays);
  return { ...report, dropped, erasedSound: await removeErasedSound(to) };
}

/**
 * Makes an archive in `to` from the backup in `from`. Nothing is overwritten: `to` must not hold an archive. Undamaged recordings that
 * exist there are kept, so an interrupted restore can be repeated. Throws `ArchiveError`.
 */
export async function restore(options: KeepOptions): Promise<RestoreReport> {
  const { from, to, onProgress, operator, run, ledger } = options;
  const manifest = await readManifest(from);
  const { archiveId } = manifest;
  await checkSeals(from, manifest);
  await makeFolder(to);
  await checkApart(from, to);
  for (const name of await readdir(to))
    if (!RESTORED_INTO.some((fits) => fits(name)) && !(await isUnfinished(to, name)))
      throw new ArchiveError(`${to} is not empty, it holds ${name}: give an empty folder`);
  const asked = { from, backup_of: manifest.createdAt };
  const begun = { asked, outcome: "begun", ...(run !== undefined && { run }) } as const;
  const act =
    operator === undefined ? undefined : { operation: "restore" as const, operator, ...begun };
  if (ledger === null) {
    await copyEntries(openLedger(from), openLedger(to));
    await copyHolds(openLedger(from), openLedger(to), archiveId);
  } else await copyLedger(options);
  const without = await listGone(from, to);
  const report = await copyArchive({ from, to, onProgress, act, without });
  await forgetUnfinished(to);
  noteRestored(to, { from });
  const restored = { directory: to, media: createMediaFolder(join(to, MEDIA)) };
  const erased =
    ledger === null
      ? await skipBoth(restored, { place: openLedger(from), archiveId }, operator)
      : { erasedAgain: await eraseAgain(restored) };
  return { ...report, backupOf: manifest.createdAt, ...erased };
}

/** Holds of which the backup has a damaged text alone are named, too. */
async function skipBoth(
  restored: OwnLedger,
  backup: Parameters<typeof listLost>[0],
  operator = "",
): Promise<SkippedLedger> {
  const skipped = await skipLedger(restored, operator);
  const lost = await listLost(backup, toLedger(restored));
  return { ...skipped, passedOver: [...skipped.passedOver, ...lost] };
}

/**
 * Copied before the records: if this is interrupted, the next process that opens them erases what the ledger names. Throws `ArchiveError`
 * if the ledger lacks entries.
 */
async function copyLedger({ from, to, ledger }: KeepOptions): Promise<void> {
  const place = openLedger(to);
  using backup = openReadOnly(join(from, DATABASE));
  const archiveId = readSetting(backup, "archive_id");
  for (const known of [openLedger(from), ledger]) {
    if (!known) continue;
    await copyEntries(known, place);
    // A hold that cannot be read may be the only one that keeps a call.
    await readHolds({ place: known, archiveId });
    await copyHolds(known, place, archiveId);
  }
  await readBehind({ place, archiveId }, readHead(backup));
}

async function listGone(from: string, to: string): Promise<readonly string[]> {
  using backup = openReadOnly(join(from, DATABASE));
  return await listGoneSound(backup, from, join(to, LEDGER));
}

async function eraseAgain(archive: OwnLedger): Promise<ErasedAgain> {
  using alone = openAlone(archive.directory);
  return await catchUpAlone(alone.database, archive);
}

const RESTORED_INTO: readonly ((name: string) => boolean)[] = [
  (name) => name === MEDIA || name === LEDGER,
  isOfPart,
  (name) => name === "lost+found", // at the root of a file system of its own
];

/** Migrates the archive to the newest schema, so that its backup has it, too; returns the archive's id. */
function prepare(directory: string): string {
  using archive = openDatabase(directory);
  checkMigratedIn(archive);
  openAccessOf(archive, directory).close();
  return readSetting(archive, "archive_id");
}

function recordBackup(directory: string, act: OperatorAct): void {
  using archive = openDatabase(directory);
  recordAct(archive, directory, act);
}

/** The files that the earlier backup in the directory lists. Throws `ArchiveError` if the directory holds something else. */
async function openEarlier(
  directory: string,
  { from, archiveId }: { readonly from: string; readonly archiveId: string },
): Promise<Disposable & { readonly fingerprintOf: (sha256: string) => string | undefined }> {
  const hasArchive =
    existsSync(join(directory, DATABASE)) && !(await isUnfinished(directory, DATABASE));
  if (hasArchive && !isBackup(directory))
    throw new ArchiveError(`${directory} is an archive and no backup: give another folder`);
  if (!hasArchive) return { fingerprintOf: () => undefined, [Symbol.dispose]: () => {} };
  const manifest = await readManifest(directory);
  if (manifest.archiveId !== archiveId)
    throw new ArchiveError(`${directory} has a backup of another archive: give another folder`);
  checkNotAhead(manifest, { from, directory });
  const database = new Connection(join(directory, DATABASE), { readOnly: true });
  const find = database.prepare("SELECT fingerprint FROM media WHERE sha256 = ?");
  return {
    fingerprintOf: (sha256) => find.get(sha256)?.["fingerprint"]?.toString(),
    [Symbol.dispose]: () => database.close(),
  };
}

// If the archive has lost rows, its last backup may have the only copy.
function checkNotAhead(
  { accessHead }: BackupManifest,
  { from, directory }: { readonly from: string; readonly directory: string },
): void {
  using access = openReadOnly(join(from, ACCESS_DATABASE));
  const loss = findLoss(access, accessHead);
  if (loss !== undefined)
    throw new ArchiveError(
      `${directory} has a backup of this archive with an access log that went on: ${loss}. Keep it, and give another folder`,
    );
}

async function checkApart(from: string, to: string): Promise<void> {
  const [source, target] = [await realpath(from), await realpath(to)];
  const holds = (outer: string, inner: string) => `${inner}${sep}`.startsWith(`${outer}${sep}`);
  if (holds(source, target) || holds(target, source))
    throw new ArchiveError(
      `${to} and ${from} must be apart: neither may be the other or lie in it; give another folder`,
    );
}
