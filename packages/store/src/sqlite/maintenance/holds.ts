// The holds of an archive in a directory. One can be added while other work runs, even a purge, which applies it before it removes the next
// rows.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ArchiveError } from "../../port/faults.ts";
import type { Act } from "../../port/history.ts";
import type { Holds, ListedHold, NewHold } from "../../port/holds.ts";
import type { ErasureEntry, InternalRow, Writer } from "../../port/index.ts";
import {
  checkNewName,
  refuseTaken,
  type StoredHold,
  toListedHold,
  toStoredHold,
} from "../../values/holds.ts";
import { LedgerFault } from "../../values/ledger.ts";
import {
  putHold as putToldHold,
  checkNewFile,
  NO_HOLDS,
  readReadableHolds,
  toLaterMs,
} from "../../values/ledger-holds.ts";
import { inHaste, unlessUnread } from "../../values/ledger-reach.ts";
import { toOwedRow } from "../../values/owed-marks.ts";
import { openAccessOf } from "../access/access-pairing.ts";
import { DATABASE, isBusy, openDatabase } from "../files/database.ts";
import { toWriteFailure } from "../files/full-disk.ts";
import { prepareRows } from "../files/connection.ts";
import { inTransaction, readAtOnce } from "../files/transaction.ts";
import { createPinWriter, findHeld, readHolds, toCallKey } from "../holds.ts";
import { hasTable } from "../schema/has-column.ts";
import { toInsert } from "../schema/digested.ts";
import { checkMigratedIn } from "../settings.ts";
import { readActs } from "../writing/acts.ts";
import { createBackupLedgers } from "./backup-ledgers.ts";
import { countBehind, keepCaughtUp } from "./catch-up.ts";
import { countOwed } from "./erasure-list.ts";
import { type OwnLedger, toLedger, toOwn } from "./ledger.ts";
import {
  addAct,
  inLongTransaction,
  insertHold,
  listHolds,
  matchHolds,
  pin,
  removeHold,
} from "./ledger-holds.ts";
import { checkArchive, openArchiveToKeep } from "./open-archive.ts";
import { findOwed, putOwed } from "./owed.ts";
import { findErased } from "./taken.ts";

export function createHolds(archive: OwnLedger): Holds {
  const { directory } = archive;
  return {
    add: async (given, by) => {
      checkArchive(directory);
      using database = openDatabase(directory);
      checkMigratedIn(database);
      const unread = await tryCatchUp(archive, database);
      const untold = await add(archive, database, { given, by });
      const missed = await copyToBackups(archive, database);
      const [listed] = list(database, { directory, names: [given.name] });
      const why = unread ?? untold;
      return {
        ...(listed ?? refuseTaken(given.name)),
        ...(why !== undefined && { unread: why }),
        ...(missed.length > 0 && { missed }),
      };
    },
    list: async () => {
      using kept = await openArchiveToKeep(directory);
      const { database } = kept;
      if (!hasTable(database, "hold")) return [];
      if (kept.isWritable) await unlessUnread(matchHolds(database, toOwn(database, archive)));
      return readAtOnce(database, () =>
        list(database, { directory, names: readHolds(database).map(({ name }) => name) }),
      );
    },
    release: async (name) => {
      checkArchive(directory);
      using database = openDatabase(directory);
      const own = toOwn(database, archive);
      // Also sees to it that the ledger can be reached: a hold that it still has would come back.
      await matchHolds(database, own);
      const hold = listHolds(database).find((one) => one.name === name);
      if (!inTransaction(database, () => removeHold(database, name))) return undefined;
      // After the archive: whoever is killed in between leaves a hold that the next one to write brings back.
      await putToldHold(own, { name, releasedMs: toLaterMs(hold, Date.now()) });
      await copyToBackups(archive, database);
      return countOwed(database);
    },
  };
}

/** Returns the backups whose ledger lacks it. */
async function copyToBackups(
  archive: OwnLedger,
  database: DatabaseSync,
): Promise<readonly string[]> {
  const { directory } = archive;
  const backups = createBackupLedgers(database, { directory, ledger: toLedger(archive) });
  const { missed, gone } = await backups.copy();
  return [...missed, ...gone];
}

/** Returns why the ledger could not be read. It has what an interrupted purge was about to erase. */
async function tryCatchUp(archive: OwnLedger, database: DatabaseSync): Promise<string | undefined> {
  const unread = await unlessUnread(countBehind(database, archive));
  if (unread !== undefined) return unread;
  try {
    (await keepCaughtUp(archive, database))[Symbol.dispose]();
  } catch (error) {
    if (error instanceof LedgerFault) return error.message;
    // The archive is behind only because a purge is running.
    if (!(error instanceof ArchiveError) || !isBusy(error.cause)) throw error;
  }
  return undefined;
}

/**
 * Returns why the ledger does not have the hold; the next process that reaches it writes it there. It has it before the archive does:
 * whoever is killed in between leaves a hold that the next one to write brings.
 */
async function add(
  archive: OwnLedger,
  database: DatabaseSync,
  { given, by }: { readonly given: NewHold; readonly by: Writer },
): Promise<string | undefined> {
  const own = toOwn(database, archive);
  let there = NO_HOLDS;
  const read = async () => {
    there = await readReadableHolds(own);
  };
  const unread = await unlessUnread(read());
  checkNewFile(given.name, there);
  let isTold = false;
  const write = async () => {
    checkNewName(given.name, readHolds(database));
    const { operation, operator, run } = by;
    const atMs = toLaterMs(there.told.get(given.name), Date.now());
    const act = { atMs, operation, operator, ...(run !== undefined && { run }) };
    insertHold(database, toStoredHold(given, addAct(database, act)));
    if ("callIds" in given.holds) pin(database, { hold: given.name, callIds: given.holds.callIds });
    const hold = listHolds(database).find(({ name }) => name === given.name);
    // Unread, it may have a hold of this name.
    const haste = { ...own, place: inHaste(own.place) };
    const untold = unread ?? (hold && (await unlessUnread(putToldHold(haste, hold))));
    isTold = untold === undefined;
    return untold;
  };
  return await inLongTransaction(database, write).catch(async (error: unknown) => {
    // If the disk is full for this, too, the hold comes back, which harms nothing.
    const { name } = given;
    if (isTold) await putToldHold(own, { name, releasedMs: Date.now() + 1 }).catch(() => {});
    throw toWriteFailure(error, join(archive.directory, DATABASE));
  });
}

interface Listing {
  /** Of the archive. */
  readonly directory: string;
  readonly names: readonly string[];
}

function list(database: DatabaseSync, { directory, names }: Listing): readonly ListedHold[] {
  const held = findHeld(database, "all");
  const stored = readHolds(database).filter(({ name }) => names.includes(name));
  const readPins = prepareRows<{ readonly callId: string; readonly isThere: number }>(
    database,
    PINS,
  );
  const acts = readActs(
    database,
    stored.map(({ act }) => act),
  );
  const owed = findOwed(database).here.callIds;
  const found = { held, owed, toKey: toCallKey };
  return stored.map((hold) => {
    const pins = readPins.all(hold.name);
    const missing = pins.flatMap(({ callId, isThere }) => (isThere === 1 ? [] : [callId]));
    const erasures = findErasedOf(database, directory, missing);
    const pinned = pins.map(({ callId }) => callId);
    return toListedHold(hold, { ...found, added: acts.get(hold.act), pinned, missing, erasures });
  });
}

function findErasedOf(database: DatabaseSync, directory: string, callIds: readonly string[]) {
  if (callIds.length === 0) return new Map<string, ErasureEntry>();
  using access = openAccessOf(database, directory, { toInspect: true });
  return findErased(database, access, callIds);
}

const PINS = `SELECT call_id AS callId, EXISTS (SELECT 1 FROM call WHERE call.call_id = held.call_id)
    OR EXISTS (SELECT 1 FROM chat WHERE chat.call_id = held.call_id) AS isThere
  FROM held WHERE hold = ? ORDER BY call_id`;

/** For `Internals`. */
export function* listKept(database: DatabaseSync): Generator<InternalRow> {
  if (!hasTable(database, "hold")) return;
  const holds = readHolds(database);
  const acts = readActs(
    database,
    holds.map(({ act }) => act),
  );
  for (const { act, ...hold } of holds) {
    const added = acts.get(act);
    if (added !== undefined) yield { kind: "hold", ...hold, added };
  }
  yield* prepareRows<InternalRow>(
    database,
    `SELECT 'held' AS kind, hold, call_id AS "callId" FROM held ORDER BY hold, call_id`,
  ).iterate(); // what it selects
  const { callIds, references } = findOwed(database).here;
  for (const [callId, reason] of callIds)
    yield { kind: "owed", callId, ...(reason !== null && { reason }) };
  for (const [reference, reason] of references)
    yield { kind: "owed_reference", reference, ...(reason !== null && { reason }) };
}

/** Writes a row that `listKept` has returned. */
export function putKept(database: DatabaseSync, row: InternalRow): void {
  if (row.kind === "held") createPinWriter(database)(row);
  putOwed(database, toOwedRow(row));
  if (row.kind === "hold") putHold(database, row);
}

function putHold(database: DatabaseSync, row: Omit<StoredHold, "act"> & { readonly added: Act }) {
  const { name, reason, asked, added } = row;
  if (readHolds(database).some((one) => one.name === name)) return;
  const act = addAct(database, added);
  database.prepare(toInsert("hold")).run({ name, reason, asked, act });
}
