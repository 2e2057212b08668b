// Completes an archive that is behind its ledger, because a process was interrupted between the ledger and the rows, or because the
// database was set back. What the entries that it has not applied name is erased now.
import { ArchiveError, isFault } from "../../port/faults.ts";
import type { ErasedAgain, ErasedCounts, LedgerHead, SkippedLedger } from "../../port/index.ts";
import { toOperatorEntry } from "../../values/access-chain.ts";
import { type Again, createMarkTest, toAgain } from "../../values/erase-again.ts";
import { type Behind, readReadable } from "../../values/ledger.ts";
import { skipHolds } from "../../values/ledger-holds.ts";
import { countOwed, NOTHING_OWED, replayOwed } from "../../values/owed-marks.ts";
import type { Archive } from "../archive.ts";
import { createRecordForm } from "../call-rows.ts";
import { type Hold, holdGate } from "../locks.ts";
import { createLongAsk } from "../open-transaction.ts";
import { bury, unbury } from "../tombstones.ts";
import { toGiven } from "./doomed.ts";
import { createRowEraser } from "./erase-rows.ts";
import { putHead, readHead, readNew, tellBefore, toOwn } from "./ledger.ts";
import { listHolds, matchHolds } from "./ledger-holds.ts";
import { findMarkedCalls, findMarkedChats } from "./marked.ts";
import { appendNoted } from "./noted-row.ts";
import { type AloneArchive, inArchiveAlone } from "./open-alone.ts";
import { changeOwed, findOwed } from "./owed.ts";
import { sum, toExtent } from "./extent.ts";
import { removeUnnamed } from "./unnamed.ts";
import { keepWithSound } from "./wanted.ts";

const NOTHING: ErasedCounts = { calls: 0, chats: 0, files: 0, fileBytes: 0 };

/** For an archive that no other process works in. Throws as `readBehind` does. */
export async function catchUpAlone(archive: AloneArchive): Promise<ErasedAgain> {
  if ((await readNew(archive)).entries.length > 0) await checkRole(archive);
  const holds = await matchNames(archive);
  return { ...(await eraseAgain(archive, await readNew(archive))), holds };
}

/** The names of the holds that the ledger has brought, and of those that were released since. */
async function matchNames(archive: Archive): Promise<ErasedAgain["holds"]> {
  await tellBefore(archive);
  const { added, released } = await matchHolds(archive);
  return { added: added.map(({ name }) => name), released };
}

/**
 * Called before records are copied or returned. Throws `ArchiveError` for a ledger that does not match, and for an archive that is behind
 * while other processes work in it.
 */
export async function comeUp(archive: Archive): Promise<void> {
  // While another archive is being migrated into this one, it is not that archive yet.
  if (await hasRecords(archive)) await catchUp(archive);
}

async function hasRecords({ write }: Archive): Promise<boolean> {
  const [row] = await write.ask<{ has: boolean }>(
    "SELECT EXISTS (SELECT FROM call) OR EXISTS (SELECT FROM chat) AS has",
  );
  return row?.has === true;
}

async function catchUp(archive: Archive): Promise<void> {
  if (!(await isBehind(archive))) return;
  // A role that may not erase can go on while a purge is running: what that has in the ledger goes in a moment.
  await inArchiveAlone(archive, catchUpAlone);
}

/**
 * Enters the gate of an archive that is not behind its ledger; undefined while a purge is running. An archive whose ledger cannot be reached
 * may be behind: what an import brings back is erased when the ledger is read. Throws as `readBehind` does.
 */
export async function holdCaughtUp(archive: Archive): Promise<Hold | undefined> {
  const gate = await holdGate(archive.write, false);
  if (gate === undefined) return undefined;
  try {
    if (!(await isBehindIfReached(archive))) return gate;
  } catch (error) {
    await gate[Symbol.asyncDispose]();
    throw error;
  }
  await gate[Symbol.asyncDispose]();
  await catchUp(archive);
  return await holdGate(archive.write, false);
}

async function isBehindIfReached(archive: Archive): Promise<boolean> {
  try {
    return await isBehind(archive);
  } catch (error) {
    if (isFault(error, "unavailable")) return false;
    throw error;
  }
}

/** If the role may change records, it also sees to it that the archive and its ledger have the same holds. */
async function isBehind(archive: Archive): Promise<boolean> {
  if (archive.settings.migrating !== "") return false;
  if ((await readRole(archive)).may) {
    await tellBefore(archive);
    await matchHolds(archive);
  }
  return (await readNew(archive)).entries.length > 0;
}

/**
 * Tries to catch up, for a process that only reads: if the ledger cannot be used now, or if other processes work in the archive, that stays
 * unchanged. Throws `ArchiveError` for an archive that is behind if this process may not remove records: it would return what was purged.
 */
export async function tryCatchUp(
  archive: Archive,
  onBehind: (why: string) => void = () => {},
): Promise<void> {
  try {
    await catchUp(archive);
  } catch (error) {
    if (error instanceof MayNotErase) throw error;
    const isLeft =
      error instanceof ArchiveError || isFault(error, "unavailable", "damaged", "busy", "full");
    if (!isLeft) throw error;
    onBehind(error.message);
  }
}

/** See `ArchiveLedger.follow`. For an archive that no other process works in. */
export async function followAlone(archive: AloneArchive, head: LedgerHead): Promise<void> {
  const { write } = archive;
  if (await hasRecords(archive)) await eraseAgain(archive, await readNew(archive), logNothing);
  await write.transact(({ ask }) => putHead(ask, head));
}

/** Writes the row of the access log; returns its number. */
type Log = (archive: Archive, row: object) => Promise<number | null>;

const logNoted: Log = async (archive, row) => (await appendNoted(archive, JSON.stringify(row))).seq;

const logNothing: Log = async () => null;

async function eraseAgain(
  archive: AloneArchive,
  { entries, head }: Behind,
  log: Log = logNoted,
): Promise<Omit<ErasedAgain, "holds">> {
  const { write, settings, media } = archive;
  const again = toAgain(entries);
  const newest = head.number;
  if (again === undefined) return { ...NOTHING, newest, newestAt: undefined, owed: 0 };
  const { last, left, lifted, erased, hasSound } = again;
  await media.claim?.(settings.archiveId);
  const isMarked = createMarkTest(settings.tombstoneKey, erased);
  const records = await eraseMarked(archive, { again, isMarked, isSound: false, log });
  const none = { found: NOTHING, seq: null };
  const sound = hasSound
    ? await eraseMarked(archive, { again, isMarked, isSound: true, log })
    : none;
  // A search for a purge finds its row even if the archive had nothing of it.
  const seq =
    records.seq ??
    sound.seq ??
    (left.size > 0 ? await log(archive, again.toRow(NOTHING, false)) : null);
  await write.transact(
    async ({ ask }) => {
      await unbury(ask, lifted);
      await bury(ask, [...left], { erasure: seq, isKept: true });
      const marking = { ask, tombstoneKey: settings.tombstoneKey };
      await changeOwed(marking, (before) => replayOwed(entries, before));
      await putHead(ask, head);
    },
    { isLong: true },
  );
  const files = records.found.files + sound.found.files;
  const fileBytes = records.found.fileBytes + sound.found.fileBytes;
  const form = createRecordForm(settings);
  const owed = countOwed(await findOwed({ ask: createLongAsk(write), form, ...settings }));
  return { ...records.found, files, fileBytes, newest, newestAt: last.at, owed };
}

class MayNotErase extends ArchiveError {}

/** Servers may have a role that only reads records. */
async function readRole({ write }: Archive) {
  const [row] = await write.ask<{ may: boolean; role: string }>(
    "SELECT has_table_privilege('call', 'DELETE') AS may, current_user::text AS role",
  );
  return row ?? { may: true, role: "" };
}

async function checkRole(archive: Archive): Promise<void> {
  const { may, role } = await readRole(archive);
  if (may) return;
  throw new MayNotErase(
    `the archive still has what its ledger says was purged, and the role ${role} may not remove it: run "setup" as the owner of the tables, then start this again`,
  );
}

interface Marked {
  readonly again: Again;
  readonly isMarked: ReturnType<typeof createMarkTest>;
  /** See `findMarkedCalls`. */
  readonly isSound: boolean;
  readonly log: Log;
}

/** `seq`: the row of the access log, which is written first. */
async function eraseMarked(archive: AloneArchive, { again, isMarked, isSound, log }: Marked) {
  const { write, settings, media } = archive;
  const ask = createLongAsk(write);
  const searched = { ask, form: createRecordForm(settings), timeZone: settings.timeZone };
  const calls = await findMarkedCalls(searched, isMarked, isSound);
  const chats = isSound ? [] : await findMarkedChats(searched, isMarked);
  const heard = isSound ? await keepWithSound(ask, calls) : calls;
  const doomed = toGiven(heard, chats);
  const extent = await toExtent(ask, doomed);
  // A call that the archive has lost, and that is imported again, may have the other contents that nothing names here.
  // So may a source that is migrated.
  const isUnlisted = again.isUnlisted && log !== logNothing;
  const own = extent.own.filter(
    ({ sha256, isUnnamed }) => again.sounds.has(sha256) || (isUnlisted && !isUnnamed),
  );
  const found = {
    calls: extent.calls.rows,
    chats: isSound ? 0 : extent.chats.rows,
    files: own.length,
    fileBytes: sum(own),
  };
  const isEmpty = found.calls + found.chats + found.files === 0;
  const seq = isEmpty ? null : await log(archive, again.toRow(found, isSound));
  const how = { erasure: seq, isForEver: false, isOwed: false, notes: "are there" } as const;
  const debt = NOTHING_OWED;
  const eraser = createRowEraser(archive, { ...how, isSound, debt });
  await eraser.erase(doomed, { gone: { calls: 0, chats: 0 }, onErased: () => {} });
  const remove = async (sha256: string) => (await media.delete(sha256)) === undefined;
  const only = new Set([...again.sounds, ...own.map(({ sha256 }) => sha256)]);
  await removeUnnamed(archive, { remove, only });
  return { found, seq };
}

/** See `Maintenance.skipLedger`. For an archive that no other process works in. */
export async function skipLedgerAlone(
  archive: AloneArchive,
  operator: string,
): Promise<SkippedLedger> {
  const own = toOwn(archive);
  const { write } = archive;
  await checkRole(archive);
  if (own === undefined) throw new ArchiveError("the place of the recordings has no ledger");
  const { faults, ...readable } = await readReadable(own, await readHead(write.ask));
  const passedOver = [...faults, ...(await skipHolds(own, await listHolds(write.ask)))];
  const asked = { without_ledger: readable.head.number, passed_over: passedOver.length };
  const act = { operation: "setup", operator, asked, outcome: "done" } as const;
  await appendNoted(archive, toOperatorEntry(act));
  const holds = await matchNames(archive);
  const erasedAgain = { ...(await eraseAgain(archive, readable)), holds };
  await write.transact(({ ask }) => putHead(ask, readable.head));
  return { erasedAgain, passedOver };
}
