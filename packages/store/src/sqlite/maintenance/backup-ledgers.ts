// The ledgers of earlier backups: each erasure is added to those that can be reached, so that a restore repeats it.
import { join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createLedgerFolder, LEDGER } from "../../media/ledger-folder.ts";
import type { ErasureReport, LedgerPlace } from "../../port/index.ts";
import { copyEntries } from "../../values/ledger.ts";
import { openDatabase } from "../files/database.ts";
import { findSetting, putSetting, readSetting } from "../settings.ts";
import { readManifest } from "./backup-manifest.ts";

/** Has the folders as a JSON array. */
const BACKUPS = "backups";

/** Remembers the folder of a backup of the archive in `from`. */
export function noteBackup(from: string, to: string): void {
  using database = openDatabase(from);
  const known = listBackups(database);
  const backup = resolve(to);
  if (!known.includes(backup)) putSetting(database, BACKUPS, JSON.stringify([...known, backup]));
}

function listBackups(database: DatabaseSync): readonly string[] {
  const known: unknown = JSON.parse(findSetting(database, BACKUPS) ?? "[]");
  return Array.isArray(known) ? known.map(String) : [];
}

/** Undefined without any. Never throws: what it does not reach, it names. */
export async function addToBackups(
  database: DatabaseSync,
  ledger: LedgerPlace,
): Promise<ErasureReport["backups"]> {
  const archiveId = readSetting(database, "archive_id");
  const [reached, missed]: [string[], string[]] = [[], []];
  for (const backup of listBackups(database)) {
    const add = async () => {
      if ((await readManifest(backup)).archiveId !== archiveId) return false;
      await copyEntries(ledger, createLedgerFolder(join(backup, LEDGER)));
      return true;
    };
    const isReached = await add().catch(() => false);
    (isReached ? reached : missed).push(backup);
  }
  return reached.length + missed.length === 0 ? undefined : { reached, missed };
}
