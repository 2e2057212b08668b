// Completes an archive that is behind its ledger, because a process was interrupted between the ledger and the rows, or because the
// database was set back. What the entries that it has not applied name is erased now.
import type { DatabaseSync } from "node:sqlite";
import { recordNoted } from "../../media/head-note.ts";
import { ArchiveError, isFault } from "../../port/faults.ts";
import type { ErasedAgain, ArchiveLedger, ErasedCounts, SkippedLedger } from "../../port/index.ts";
import { type Behind, readReadable } from "../../values/ledger.ts";
import { toOperatorEntry } from "../../values/access-chain.ts";
import { createMarkTest, toAgain } from "../../values/erase-again.ts";
import { skipHolds } from "../../values/ledger-holds.ts";
import { countOwed, replayOwed } from "../../values/owed-marks.ts";
import { openAccessOf, toNotedLog } from "../access/access-pairing.ts";
import { tryUpdateWitness } from "../access/access-witness.ts";
import { createAccessJobs } from "../access/access-jobs.ts";
import { eraseRows } from "../erase-batches.ts";
import { type DoomedRows, forgetFiles, readDoomedFiles } from "../erasure.ts";
import { toStoreFault } from "../faults.ts";
import { openDatabase } from "../files/database.ts";
import { keepFromPurging } from "../files/purge-lock.ts";
import { inTransaction } from "../files/transaction.ts";
import { listMarked, listMarkedSound } from "../marked.ts";
import { scrub } from "../scrub.ts";
import { readSetting } from "../settings.ts";
import { createTombstones } from "../tombstones.ts";
import { createBackupLedgers } from "./backup-ledgers.ts";
import {
  type OwnLedger,
  putHead,
  readHead,
  readNew,
  tellBefore,
  toLedger,
  toOwn,
} from "./ledger.ts";
import { listHolds, matchHolds } from "./ledger-holds.ts";
import { openAlone } from "./open-alone.ts";
import { openArchiveToKeep } from "./open-archive.ts";
import { changeOwed, findOwed } from "./owed.ts";
import { removeLeftParts } from "./part-file.ts";

export const createLedger = (archive: OwnLedger): ArchiveLedger => ({
  place: toLedger(archive),
  readHead: async () => {
    using kept = await openArchiveToKeep(archive.directory);
    return readHead(kept.database);
  },
  follow: async (head) => {
    using alone = openAlone(archive.directory, { toMigrate: true });
    const { database } = alone;
    if (hasRecords(database))
      await eraseAgain(database, archive, {
        ...(await readNew(database, archive)),
        isOfSource: true,
      });
    putHead(database, head);
  },
});

/** The number of ledger entries that the archive has not applied. Throws as `readBehind` does. */
export const countBehind = async (database: DatabaseSync, archive: OwnLedger): Promise<number> =>
  (await readNew(database, archive)).entries.length;

/**
 * Until it is disposed nothing is purged, and the archive is not behind its ledger. An archive whose ledger cannot be reached may be
 * behind: what an import brings back is erased when the ledger is read. Throws `ArchiveError` while a purge is running, and for a ledger
 * that does not match.
 */
export async function keepCaughtUp(
  archive: OwnLedger,
  database: DatabaseSync,
): Promise<Disposable> {
  const lock = keepFromPurging(archive.directory);
  try {
    await meetLedger(database, archive);
    const { entries } = await readNew(database, archive);
    if (entries.length === 0) return lock;
  } catch (error) {
    if (isFault(error, "unavailable")) return lock;
    lock[Symbol.dispose]();
    throw error;
  }
  lock[Symbol.dispose]();
  await catchUp(archive);
  return keepFromPurging(archive.directory);
}

async function catchUp(archive: OwnLedger): Promise<void> {
  using alone = openAlone(archive.directory);
  await catchUpAlone(alone.database, archive);
}

/**
 * Called before records are copied or returned. Throws `ArchiveError` for a ledger that does not match, for an archive that is behind while
 * other processes work in it, and for a backup that is behind, which must stay unchanged.
 */
export async function comeUp(archive: OwnLedger): Promise<void> {
  using kept = await openArchiveToKeep(archive.directory);
  // While another archive is being migrated into this one, it is not that archive yet.
  if (!hasRecords(kept.database)) return;
  if (kept.isWritable) await meetLedger(kept.database, archive);
  const behind = await countBehind(kept.database, archive);
  if (behind === 0) return;
  if (kept.isWritable) return await catchUp(archive);
  const entries = behind === 1 ? "entry" : "entries";
  throw new ArchiveError(
    `the backup in ${archive.directory} has what was purged since: its ledger has ${behind} more ${entries}. Restore it into another folder, which removes that, and use the archive there`,
  );
}

const hasRecords = (database: DatabaseSync): boolean =>
  database
    .prepare("SELECT EXISTS (SELECT 1 FROM call) OR EXISTS (SELECT 1 FROM chat) AS has")
    .get()?.["has"] === 1;

/**
 * Tries to catch up, for a process that only reads: if the ledger cannot be used now, or other processes work in the archive, the archive
 * stays unchanged.
 */
export async function tryCatchUp(
  archive: OwnLedger,
  onBehind: (why: string) => void = () => {},
): Promise<void> {
  try {
    if (await isBehind(archive)) await catchUp(archive);
  } catch (error) {
    const fault = toStoreFault(error);
    const isLeft = fault instanceof ArchiveError || isFault(fault, "unavailable", "damaged");
    if (!isLeft) throw error;
    onBehind(fault.message);
  }
}

async function isBehind(archive: OwnLedger): Promise<boolean> {
  using database = openDatabase(archive.directory);
  await meetLedger(database, archive);
  return (await countBehind(database, archive)) > 0;
}

/** Sees to it that the ledger has what the archive has erased and owes, and that both have the same holds. */
async function meetLedger(database: DatabaseSync, archive: OwnLedger) {
  const own = toOwn(database, archive);
  const isTold = await tellBefore(database, own);
  const changes = await matchHolds(database, own);
  const { directory } = archive;
  if (isTold || changes.told.length > 0)
    await createBackupLedgers(database, { directory, ledger: own.place }).copy();
  return changes;
}

const NOTHING: ErasedCounts = { calls: 0, chats: 0, files: 0, fileBytes: 0 };

/** For an archive that no other process works in. */
export async function catchUpAlone(
  database: DatabaseSync,
  archive: OwnLedger,
): Promise<ErasedAgain> {
  const { added, released } = await meetLedger(database, archive);
  const holds = { added: added.map(({ name }) => name), released };
  const done = await eraseAgain(database, archive, await readNew(database, archive));
  return { ...done, holds };
}

interface Again extends Behind {
  /** See `ArchiveLedger.follow`. */
  readonly isOfSource?: boolean;
}

async function eraseAgain(
  database: DatabaseSync,
  { directory, media }: OwnLedger,
  { entries, head, isOfSource = false }: Again,
): Promise<Omit<ErasedAgain, "holds">> {
  const again = toAgain(entries);
  const newest = head.number;
  if (again === undefined) return { ...NOTHING, newest, newestAt: undefined, owed: 0 };
  const { last, left, lifted, erased, hasSound } = again;
  const isMarked = createTest(database, erased);
  await createBackupLedgers(database, { directory, ledger: toLedger({ directory, media }) }).copy();
  await media.claim?.(readSetting(database, "archive_id"));
  const log = async (found: ErasedCounts, isSound: boolean) => {
    const entry = JSON.stringify(again.toRow(found, isSound));
    return isOfSource ? null : await append(database, { directory, media }, entry);
  };
  const erase = async ({ recordBytes: _bytes, ...found }: DoomedRows, isSound: boolean) => {
    const isEmpty = found.calls + found.chats + found.files === 0;
    const seq = isEmpty ? null : await log(found, isSound);
    const nothing = { marks: undefined, ownMarks: () => [], note: undefined };
    await eraseRows(database, { seq, isSound, ...nothing }, () => {});
    for (const { sha256 } of readDoomedFiles(database)) await media.delete(sha256);
    forgetFiles(database);
    return { seq, ...found };
  };
  // A call that the archive has lost, and that is imported again, may have the other contents that nothing names here. So may a source
  // that is migrated.
  const marked = { isMarked, sounds: again.sounds, isUnlisted: again.isUnlisted && !isOfSource };
  const { seq: own, ...found } = await erase(listMarked(database, marked), false);
  const none = { ...NOTHING, seq: null };
  const sound = hasSound ? await erase(listMarkedSound(database, marked), true) : none;
  // A search for a purge finds its row even if the archive had nothing of it.
  const seq = own ?? sound.seq ?? (left.size > 0 ? await log(NOTHING, false) : null);
  await scrub(database);
  await removeLeftParts(directory);
  inTransaction(database, () => {
    const tombstones = createTombstones(database);
    for (const mark of lifted) tombstones.remove(mark);
    for (const mark of left) tombstones.keep(mark, seq);
    changeOwed(database, (before) => replayOwed(entries, before));
    putHead(database, head);
  });
  const files = found.files + sound.files;
  const fileBytes = found.fileBytes + sound.fileBytes;
  const owed = countOwed(findOwed(database));
  return { ...found, files, fileBytes, newest, newestAt: last.at, owed };
}

export const createTest = (database: DatabaseSync, erased: ReadonlyMap<string, number | null>) =>
  createMarkTest(readSetting(database, "tombstone_key"), erased);

/** Throws `ArchiveError` if the log lacks rows. */
async function append(
  database: DatabaseSync,
  { directory, media }: OwnLedger,
  entry: string,
): Promise<number | null> {
  using access = openAccessOf(database, directory);
  const run = createAccessJobs(access);
  const added = await recordNoted(media, toNotedLog(access), () =>
    run({ kind: "append", entries: [entry] }),
  );
  tryUpdateWitness(database, access);
  return added.seq ?? null;
}

/** See `Maintenance.skipLedger`. */
export async function skipLedger(archive: OwnLedger, operator: string): Promise<SkippedLedger> {
  const { directory } = archive;
  using alone = openAlone(directory);
  const { database } = alone;
  const own = toOwn(database, archive);
  const readable = await readReadable(own, readHead(database));
  const lost = await skipHolds(own, listHolds(database));
  const passedOver = [...readable.faults, ...lost];
  const { number } = readable.head;
  const asked = { without_ledger: number, passed_over: passedOver.length };
  const act = { operation: "setup", operator, asked, outcome: "done" } as const;
  await append(database, archive, toOperatorEntry(act));
  const { added, released } = await matchHolds(database, own);
  const holds = { added: added.map(({ name }) => name), released };
  const erasedAgain = await eraseAgain(database, archive, readable);
  putHead(database, readable.head);
  return { erasedAgain: { ...erasedAgain, holds }, passedOver };
}
