// Matches access.db with archive.db: both have the same id, and archive.db names a row that the log must have. So an
// access log that was lost, exchanged or rolled back is never silently replaced or used.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  ACCESS_DATABASE,
  ArchiveError,
  DATABASE,
  namingFile,
  openAccessDatabase,
  toSize,
} from "../files/database.ts";
import { inTransaction } from "../files/transaction.ts";
import { NOTHING_LOST } from "../../values/access-chain.ts";
import { type NotedLog, openHeadNote } from "../../media/head-note.ts";
import type { MediaStore } from "../../port/media.ts";
import { findSetting, putSetting } from "../settings.ts";
import { findCounterFault, findLoss, putWitness, readHead, readWitness } from "./access-witness.ts";

/**
 * Opens the archive's access.db, or creates it for an archive that never had one. Throws `ArchiveError` if its
 * access.db is lost, belongs to another archive, or lacks rows. `toInspect` opens one that lacks rows.
 */
export function openAccessOf(
  archive: DatabaseSync,
  directory: string,
  { toInspect = false }: { readonly toInspect?: boolean | undefined } = {},
): DatabaseSync {
  const known = namingFile(join(directory, DATABASE), () => readPairedId(archive));
  const file = join(directory, ACCESS_DATABASE);
  if (known !== undefined && !isThere(file)) throw new ArchiveError(toLost(file));
  const access = openAccessDatabase(directory);
  try {
    const id = namingFile(file, () => readLogId(access));
    if (known === undefined) pair(archive, id);
    if (known !== undefined && known !== id) throw new ArchiveError(`${file} ${OF_ANOTHER}`);
    if (toInspect) return access;
    const loss = namingFile(
      file,
      () => findLoss(access, readWitness(archive)) ?? findCounterFault(access),
    );
    if (loss !== undefined) throw new ArchiveError(toRolledBack(file, loss));
    return access;
  } catch (error) {
    access.close();
    throw error;
  }
}

/** The mismatch between the two, to follow the file name in a sentence; undefined if they match. */
export function findPairingFault(
  archive: DatabaseSync,
  access: DatabaseSync | undefined,
): string | undefined {
  const known = readPairedId(archive);
  if (known === undefined) return undefined;
  if (access === undefined) return LOST;
  return readLogId(access) === known ? undefined : OF_ANOTHER;
}

/**
 * Creates an access.db for an archive that lost its own, with the row as the first of its log. Throws `ArchiveError` if
 * nothing is lost, or if there is any other access.db.
 */
export function replaceLostAccess(
  archive: DatabaseSync,
  directory: string,
  fill: (access: DatabaseSync) => void,
): void {
  const file = join(directory, ACCESS_DATABASE);
  if (readPairedId(archive) === undefined || isThere(file))
    throw new ArchiveError(
      `nothing was done: ${isThere(file) ? `${file} is there; move it away if it is another archive's` : "this archive never had an access log"}`,
    );
  using access = openAccessDatabase(directory);
  fill(access);
  inTransaction(archive, () => {
    pair(archive, readLogId(access));
    putWitness(archive, readHead(access));
  });
}

/**
 * Makes the archive use an access.db that lacks rows, once `fill` has written to its log who decided so. `fill` receives
 * the description of the missing rows, which is returned. Throws `ArchiveError` if none are missing.
 */
export async function acceptLostRows(
  { archive, directory, media }: LosingArchive,
  fill: (access: DatabaseSync, loss: string) => void,
): Promise<string> {
  using access = openAccessOf(archive, directory, { toInspect: true });
  const log = toNotedLog(access);
  const note = await openHeadNote(media, log);
  const known = [readWitness(archive), await note?.read()].filter((one) => one !== undefined);
  const losses = [...known.map((one) => findLoss(access, one)), findCounterFault(access)];
  const loss = losses.find((one) => one !== undefined);
  if (loss === undefined) throw new ArchiveError(NOTHING_LOST);
  skipTo(access, Math.max(...known.map(({ seq }) => seq), readHead(access)?.seq ?? 0));
  fill(access, loss);
  const head = readHead(access);
  putWitness(archive, head);
  if (head !== undefined) await note?.write(head);
  return loss;
}

export interface LosingArchive {
  readonly archive: DatabaseSync;
  readonly directory: string;
  readonly media: Pick<MediaStore, "notes">;
}

/** The part of the log that the note next to the recordings is compared with. */
export const toNotedLog = (access: DatabaseSync): NotedLog => ({
  id: async () => readLogId(access),
  find: async (seq) => readHead(access, seq),
});

// No new row gets the number of a lost one.
function skipTo(access: DatabaseSync, seq: number): void {
  inTransaction(access, () => {
    access
      .prepare(
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'access', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'access')",
      )
      .run();
    access.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'access'").run(seq);
  });
}

const LOST = "is lost, and with it the credentials and the access log of this archive";
const OF_ANOTHER =
  "belongs to another archive: put this archive's own back, or move it away to see what to do without";

const toRolledBack = (file: string, loss: string) =>
  `${file} lost rows of its access log, or is an older copy: ${loss}. Revoked keys may be valid again in it. Put the newest access.db back, with its access.db-wal, or accept the loss with "audit accept-loss"`;

const toLost = (file: string) =>
  `${file} ${LOST}: put it back from a backup ("restore"), or begin a new one with "audit begin-anew"`;

// SQLite treats an empty file as an empty database.
function isThere(file: string): boolean {
  return toSize(file) > 0;
}

function readPairedId(archive: DatabaseSync): string | undefined {
  return findSetting(archive, "access_id");
}

/** The id of this access.db. */
export function readLogId(access: DatabaseSync): string {
  return String(access.prepare("SELECT id FROM identity").get()?.["id"]);
}

function pair(archive: DatabaseSync, id: string): void {
  putSetting(archive, "access_id", id);
}
