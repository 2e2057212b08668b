// Recordings in backups that were erased later: finds those that no restore would keep.
import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createLedgerFolder, LEDGER } from "../../media/ledger-folder.ts";
import { MEDIA, toMediaPath } from "../../media/media-path.ts";
import type { ErasedSound } from "../../port/maintenance.ts";
import { type LedgerEntry, readReadable, replay } from "../../values/ledger.ts";
import { createCallTest } from "../marked.ts";
import { prepareBig } from "../files/connection.ts";
import { DATABASE } from "../files/database.ts";
import { hasTable } from "../schema/has-column.ts";
import { readSetting } from "../settings.ts";
import { createTest } from "./catch-up.ts";
import { readHead } from "./ledger.ts";
import { listGenerations } from "./generations.ts";
import { openReadOnly } from "./open-archive.ts";

const NO_HEAD = { number: 0, digest: undefined };

const OF_CALLS = `SELECT call FROM recording WHERE sha256 = :sha256`;

// An earlier state is erased with its record.
const OF_STATES = `SELECT call.id FROM version_recording JOIN version ON version.id = version_recording.version
  JOIN call ON call.call_id = version.name WHERE version.kind = 'call' AND sha256 = :sha256`;

type Fate = "unnamed" | "erased" | "kept";

/** Returns a function that says how applying these entries to the backup affects a content. */
function createFates(backup: DatabaseSync, entries: readonly LedgerEntry[]) {
  const { number } = readHead(backup);
  const behind = entries.filter(({ erasure }) => erasure > number);
  const isErased = createCallTest(backup, createTest(backup, replay(behind).erased));
  const hasStates = hasTable(backup, "version_recording");
  const calls = prepareBig<{ readonly id: bigint }>(
    backup,
    `SELECT id FROM call WHERE id IN (${hasStates ? `${OF_CALLS} UNION ${OF_STATES}` : OF_CALLS})`,
  );
  const states = hasStates
    ? backup.prepare("SELECT 1 FROM version_recording WHERE sha256 = ?")
    : undefined;
  const toFate = (sha256: string): Fate => {
    const named = calls.all({ sha256 });
    if (named.length > 0) return named.every(({ id }) => isErased(id)) ? "erased" : "kept";
    return states?.get(sha256) === undefined ? "unnamed" : "kept";
  };
  return { toFate, sounds: new Set(behind.flatMap(({ sounds }) => sounds)) };
}

async function readEntries(backup: DatabaseSync, ledger: string) {
  const own = { place: createLedgerFolder(ledger), archiveId: readSetting(backup, "archive_id") };
  return await readReadable(own, NO_HEAD);
}

/** The contents whose files the backup lacks because they were erased later: its restore erases the records that name them. */
export async function listGoneSound(
  backup: DatabaseSync,
  directory: string,
  ledger = join(directory, LEDGER),
): Promise<readonly string[]> {
  const { entries } = await readEntries(backup, ledger);
  const { toFate, sounds } = createFates(backup, entries);
  const isGone = (sha256: string) => !existsSync(toMediaPath(join(directory, MEDIA), sha256));
  return [...sounds].filter((sha256) => isGone(sha256) && toFate(sha256) === "erased");
}

/**
 * Deletes the recordings that the ledger names from the directory of a backup, or of its generations, unless a restore of one of them would
 * keep one with a record. Only the ledger decides: if an archive loses records by a fault, nothing is deleted from its backups. If a ledger
 * entry cannot be read, nothing is deleted: it may have let a call in again.
 */
export async function removeErasedSound(directory: string): Promise<ErasedSound> {
  const generations = listGenerations(directory);
  const backups = generations.length === 0 ? [directory] : generations;
  const going = await listErased(directory, backups);
  for (const backup of backups) {
    if (going.size === 0) break;
    using database = openReadOnly(join(backup, DATABASE));
    const { entries } = await readEntries(database, join(directory, LEDGER));
    const { toFate } = createFates(database, entries);
    for (const sha256 of going.keys()) if (toFate(sha256) === "kept") going.delete(sha256);
  }
  for (const path of going.keys())
    await rm(toMediaPath(join(directory, MEDIA), path), { force: true });
  return { files: going.size, bytes: [...going.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

/** The contents that exist and that an entry names, with their sizes. */
async function listErased(
  directory: string,
  [oldest = directory]: readonly string[],
): Promise<Map<string, number>> {
  using backup = openReadOnly(join(oldest, DATABASE));
  const { entries, faults } = await readEntries(backup, join(directory, LEDGER));
  const found = new Map<string, number>();
  if (faults.length > 0) return found;
  for (const sha256 of new Set(entries.flatMap(({ sounds }) => sounds))) {
    const state = await stat(toMediaPath(join(directory, MEDIA), sha256)).catch(() => undefined);
    if (state !== undefined) found.set(sha256, state.size);
  }
  return found;
}
