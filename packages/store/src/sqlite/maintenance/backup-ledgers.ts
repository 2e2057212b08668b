// The ledgers of earlier backups: each erasure is added to those that can be reached, so that a restore repeats it.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createLedgerFolder, LEDGER } from "../../media/ledger-folder.ts";
import type { ErasureReport, LedgerPlace } from "../../port/index.ts";
import { copyEntries } from "../../values/ledger.ts";
import { copyHolds } from "../../values/ledger-holds.ts";
import { DATABASE, openDatabase } from "../files/database.ts";
import { findSetting, putSetting, readSetting } from "../settings.ts";
import { toBackupRoot, toNewest } from "./generations.ts";
import { readManifest } from "./backup-manifest.ts";

/** The setting with the backups, a JSON array. */
const BACKUPS = "backups";

/** A copy of an archive has the same setting and archive_id; only the archive in `from` adds to the ledger in `to`. */
interface Backup {
  readonly from: string;
  readonly to: string;
  /** Of a backup that the archive in `from` was restored from: the archives that it is of. While one exists, the ledger in `to` is its own. */
  readonly originals?: readonly string[];
}

/** Stores the directory of a backup of the archive in `from`. */
export function noteBackup(from: string, to: string): void {
  using database = openDatabase(from);
  const backup = { from: realpathSync(from), to: resolve(to) };
  const others = listBackups(database).filter(
    (one) => one.from !== backup.from || one.to !== backup.to,
  );
  putBackups(database, [...others, backup]);
}

/** For an archive in `directory` that was restored from a backup: of those of the original only this one is its own. */
export function noteRestored(directory: string, { from }: { readonly from: string }): void {
  using database = openDatabase(directory);
  const own = realpathSync(directory);
  const originals = new Set(listBackups(database).map((one) => one.from));
  originals.delete(own);
  putBackups(database, [{ from: own, to: toBackupRoot(resolve(from)), originals: [...originals] }]);
}

const putBackups = (database: DatabaseSync, backups: readonly Backup[]) =>
  putSetting(database, BACKUPS, JSON.stringify(backups));

function listBackups(database: DatabaseSync): readonly Backup[] {
  const known: unknown = JSON.parse(findSetting(database, BACKUPS) ?? "[]");
  return Array.isArray(known) ? known.filter(isNoted) : [];
}

const isNoted = (value: Partial<Backup> | null): value is Backup =>
  typeof value?.from === "string" &&
  typeof value.to === "string" &&
  (value.originals === undefined || Array.isArray(value.originals));

/** The directories of the backups of this archive, without those of an archive that it was copied from. */
export function listOwnBackups(database: DatabaseSync, directory: string): readonly string[] {
  const own = realpathSync(directory);
  return listBackups(database).flatMap(({ from, to }) => (from === own ? [to] : []));
}

const isArchive = (directory: string) => existsSync(join(directory, DATABASE));

interface Own {
  readonly directory: string;
  readonly ledger: LedgerPlace;
}

export interface BackupLedgers {
  /** Adds the missing entries and holds to each backup that can be reached. Never throws for a backup. */
  readonly copy: () => Promise<NonNullable<ErasureReport["backups"]>>;
  /** Does the same, and returns what was reached; undefined if the archive has no backups. A backup that is gone is forgotten. */
  readonly end: () => Promise<ErasureReport["backups"]>;
}

export function createBackupLedgers(
  database: DatabaseSync,
  { directory, ledger }: Own,
): BackupLedgers {
  const archiveId = readSetting(database, "archive_id");
  const own = realpathSync(directory);
  // The newest entry that each has got from here: a purge of millions of calls adds hundreds.
  const copied = new Map<string, number>();
  const add = async (to: string) => {
    if ((await readManifest(toNewest(to))).archiveId !== archiveId) return false;
    const newest = (await ledger.list()).at(-1) ?? 0;
    const theirs = createLedgerFolder(join(to, LEDGER));
    await copyEntries(ledger, theirs, copied.get(to));
    if (!copied.has(to)) await copyHolds(ledger, theirs, archiveId);
    copied.set(to, newest);
    return true;
  };
  const copy = async () => {
    const [reached, missed, gone]: [string[], string[], string[]] = [[], [], []];
    for (const { from, to, originals } of listBackups(database)) {
      // The backup belongs to the archive that this one is a copy of.
      if (from !== own && isArchive(from)) continue;
      const isItsOwn = from === own && originals?.some(isArchive) !== true;
      if (isItsOwn && (await add(to).catch(() => false))) reached.push(to);
      else if (!existsSync(to) && existsSync(dirname(to))) gone.push(to);
      else missed.push(to);
    }
    return { reached, missed, gone };
  };
  return {
    copy,
    end: async () => {
      const found = await copy();
      const { reached, missed, gone } = found;
      if (gone.length > 0) {
        const left = listBackups(database).filter(({ to }) => !gone.includes(to));
        putBackups(database, left);
      }
      return reached.length + missed.length + gone.length > 0 ? found : undefined;
    },
  };
}
