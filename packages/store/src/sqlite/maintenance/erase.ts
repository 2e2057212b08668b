// Erases calls from an archive permanently: records, chats, search terms, and the recordings that no other call has. The same command
// completes an interrupted erasure: rows stay until their files are gone.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type {
  ErasedCounts,
  Eraser,
  ErasureFilter,
  ErasurePlan,
  ErasureReport,
  Maintenance,
  MediaStore,
  Retained,
} from "../../port/index.ts";
import { StoreFault } from "../../port/faults.ts";
import { isOfIdentifier, toErasureEntry, toOwnMarks } from "../../values/erasure-entry.ts";
import { createNotes } from "../../values/ledger-notes.ts";
import { toCase } from "../../values/owed-marks.ts";
import { nameReference } from "../../values/tombstones.ts";
import { findStrayMedia, watchNames } from "../../values/stray-media.ts";
import { createAccessJobs } from "../access/access-jobs.ts";
import { openAccessOf } from "../access/access-pairing.ts";
import { tryUpdateWitness } from "../access/access-witness.ts";
import { eraseRows } from "../erase-batches.ts";
import {
  type DoomedRows,
  forgetFiles,
  listCallIds,
  listUnlinked,
  listUnreferenced,
  readDoomedFiles,
} from "../erasure.ts";
import { ArchiveError, DATABASE } from "../files/database.ts";
import { isOfFullDisk } from "../files/full-disk.ts";
import { toFullText } from "../files/reserve.ts";
import { inTransaction } from "../files/transaction.ts";

import { scrub } from "../scrub.ts";
import { readSetting } from "../settings.ts";
import { createRowMarks, createTombstones } from "../tombstones.ts";
import { createBackupLedgers } from "./backup-ledgers.ts";
import { catchUpAlone, countBehind } from "./catch-up.ts";
import { findTaken, listUnknown } from "./taken.ts";
import { createErasureList, type ErasureList } from "./erasure-list.ts";
import { inLongTransaction, matchHolds } from "./ledger-holds.ts";
import { createLedgerWriter, putHead, toLedger, toOwn } from "./ledger.ts";
import { openAlone } from "./open-alone.ts";
import { removeLeftParts } from "./part-file.ts";

/** For the archive in `directory`, whose recordings `media` has. */
export function createErasure(
  directory: string,
  media: MediaStore,
): Pick<Maintenance, "planErasure" | "erase"> {
  return {
    planErasure: namingRoom(directory, async (filter) => {
      using archive = openAlone(directory);
      const behind = await countBehind(archive.database, { directory, media });
      await matchHolds(archive.database, toOwn(archive.database, { directory, media }));
      const listing = createErasureList(archive.database, filter);
      const { counts, ...names } = await list(archive.database, media, listing);
      using log = openLog(archive.database, directory, filter);
      const unknown = listUnknown(archive.database, filter);
      const found = toPlan(counts, { ...names, unknown }, log.findEarlier(counts));
      return { ...found, behind: behind || undefined };
    }),
    // A download that has begun ends whole; what is requested afterwards is not found.
    erase: namingRoom(directory, async (filter, given): Promise<ErasureReport> => {
      const { onProgress = () => {} } = given;
      using archive = openAlone(directory);
      // What an interrupted erasure has left is counted in this one.
      const rest = await catchUpAlone(archive.database, { directory, media });
      const { database } = archive;
      await media.claim?.(readSetting(database, "archive_id"));
      const listing = createErasureList(database, filter, given.case ?? null);
      const found = await list(database, media, listing);
      const { counts, strays } = found;
      const { cases, unknown: unknownOwed } = listing.now();
      const by = { ...given, case: toCase(given.case, cases, unknownOwed) };
      using log = openLog(database, directory, filter);
      const taken = log.findEarlier(counts);
      const unknown = listUnknown(database, filter);
      const isEmpty = counts.calls + counts.chats + counts.files === 0;
      const seq = isEmpty ? null : log.write(by, counts);

      const toReporter = (step: string, bytesTotal: number) => {
        let bytesDone = 0;
        return (bytes: number) => onProgress({ step, bytesDone: (bytesDone += bytes), bytesTotal });
      };
      const { isSound = false } = filter;
      const { debt } = listing;
      const isNamed = isOfIdentifier(filter);
      const marks = createRowMarks(database, { isOfIdentifier: isNamed, isSound, debt });
      const ledger = toLedger({ directory, media });
      const ledgers = createBackupLedgers(database, { directory, ledger });
      const own = { place: ledger, archiveId: readSetting(database, "archive_id") };
      const writer = createLedgerWriter(database, own);
      const notes = createNotes(writer, { filter, by, onAdded: ledgers.copy });
      const owe = async () => {
        await notes.owe(listing.listNewMarks());
        listing.owe();
      };
      await inLongTransaction(database, async () => {
        await owe();
        putHead(database, notes.head());
      });
      const judgeAgain = async (isAnew: boolean) => {
        if (listing.judgeAgain(isAnew)) await owe();
      };
      const toStored = createTombstones(database).toStored;
      const ownMarks = () => {
        const { absent, unknown: unknownMarks } = listing.now();
        const marksOf = [...unknownMarks.callIds.keys(), ...unknownMarks.references.keys()];
        return [
          ...toOwnMarks(absent).map(toStored),
          ...marksOf.map((mark) => [mark, null] as const),
        ];
      };
      const erasure = { seq, marks, isSound, ownMarks, note: notes.erase, judgeAgain };
      const onErased = toReporter("records", listing.now().rows.recordBytes);
      const gone = await eraseRows(database, erasure, onErased);
      const onRemoved = toReporter("recordings", counts.fileBytes);
      const retained: Retained[] = [];
      const remove = async (name: string, bytes: number) => {
        const kept = await media.delete(name);
        if (kept !== undefined) retained.push(kept);
        onRemoved(bytes);
      };
      for (const { sha256, bytes } of readDoomedFiles(database)) await remove(sha256, bytes);
      for (const { name, bytes } of strays) await remove(name, bytes);
      const settled = listing
        .listSettled()
        .map((one) => toStored({ name: nameReference(one), untilDay: null })[0]);
      await notes.settle([...settled, ...listing.now().unknown.references.keys()]);
      // A backup that was not reached before may be now. Until the head is stored, the next process that opens the archive completes this.
      const backups = await ledgers.end();
      // Retained files are found again as files that no record names.
      inTransaction(database, () => {
        forgetFiles(database);
        listing.settle();
        putHead(database, notes.head());
      });
      await removeLeftParts(directory);
      // A hold that was added meanwhile keeps some of what was found.
      const { files, fileBytes } = toCounts(listing.now().rows, strays);
      const now = { ...found, unknown, held: listing.now().held };
      const counted = addUp({ ...gone, files, fileBytes }, rest);
      const report = { ...toPlan(counted, now, taken), retained, backups };
      return { ...report, ...(await scrub(database)) };
    }),
  };
}

const addUp = (one: ErasedCounts, other: ErasedCounts): ErasedCounts => ({
  calls: one.calls + other.calls,
  chats: one.chats + other.chats,
  files: one.files + other.files,
  fileBytes: one.fileBytes + other.fileBytes,
});

function toPlan(
  counts: ErasedCounts,
  { unlinked, ofNoRecord, held, unknown, soundless }: Names,
  taken: ErasurePlan["taken"],
): ErasurePlan {
  const given = {
    ...(held !== undefined && { held }),
    ...(unknown !== undefined && { unknown }),
    ...(soundless > 0 && { soundless }),
  };
  return { ...counts, unlinked, ofNoRecord, taken, ...given };
}

type Names = Pick<ErasurePlan, "unlinked" | "ofNoRecord" | "held" | "unknown"> & {
  readonly soundless: number;
};

/** Returns a function that does the same, but says on a full disk how much room it needs. */
function namingRoom<Given extends unknown[], T>(
  directory: string,
  work: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  const file = join(directory, DATABASE);
  const refuse = (error: unknown) => {
    const cause = error instanceof ArchiveError ? error.cause : error;
    if (!isOfFullDisk(cause, file)) throw error;
    const text = `${toFullText(directory)}: what is not erased yet is whole`;
    throw new StoreFault("full", text, { cause: error });
  };
  return async (...given) => await work(...given).catch(refuse);
}

// While the lock is held no file is being added: a file that no row names comes from an interrupted import, perhaps of one of these very
// calls.
async function list(database: DatabaseSync, media: MediaStore, { now }: ErasureList) {
  const { rows, held, soundless } = now();
  const known = database.prepare("SELECT 1 FROM media WHERE sha256 = ?");
  const isKnown = (sha256: string) => known.get(sha256) !== undefined;
  const named = watchNames(media.list(), new Set(listUnreferenced(database)));
  const { unreferenced, leftovers } = await findStrayMedia(named.stored, isKnown, 0);
  const strays = [...unreferenced, ...leftovers];
  return {
    held,
    soundless,
    strays,
    unlinked: listUnlinked(database),
    ofNoRecord: [...named.names, ...strays.map(({ name }) => name)],
    counts: toCounts(rows, strays),
  };
}

function toCounts(
  { calls, chats, files, fileBytes }: DoomedRows,
  strays: readonly { readonly bytes: number }[],
): ErasedCounts {
  return {
    calls,
    chats,
    files: files + strays.length,
    fileBytes: strays.reduce((sum, { bytes }) => sum + bytes, fileBytes),
  };
}

/** Opens the access log of the archive whose calls are listed on the connection. */
function openLog(archive: DatabaseSync, directory: string, filter: ErasureFilter) {
  const access = openAccessOf(archive, directory);
  return {
    /** Logs what is about to be erased. */
    write: ({ onProgress: _onProgress, ...by }: Eraser, found: ErasedCounts): number | null => {
      const told = { ...by, found };
      const entry = toErasureEntry(filter, told, () => listCallIds(archive));
      const entries = [JSON.stringify(entry)];
      return createAccessJobs(access)({ kind: "append", entries }).seq ?? null;
    },
    /** See `ErasurePlan.taken`. */
    findEarlier: ({ calls, chats }: ErasedCounts): ErasurePlan["taken"] => {
      return calls + chats > 0 ? undefined : findTaken(archive, access, filter);
    },
    [Symbol.dispose]: (): void => {
      tryUpdateWitness(archive, access);
      access.close();
    },
  };
}
