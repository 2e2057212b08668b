// The holds of an archive in a directory. One can be added while other work runs, even a purge, which applies it before it removes the next
// rows.
import type { DatabaseSync } from "node:sqlite";
import { ArchiveError, isFault } from "../../port/faults.ts";
import type { Act } from "../../port/history.ts";
import type { Holds, ListedHold, NewHold } from "../../port/holds.ts";
import type { InternalRow, Writer } from "../../port/index.ts";
import {
  createHoldJudge,
  refuseTaken,
  type StoredHold,
  toListedHold,
  toStoredHold,
} from "../../values/holds.ts";
import { createChatReader } from "../chats.ts";
import { openDatabase } from "../files/database.ts";
import { prepareRows } from "../files/connection.ts";
import { inTransaction, readAtOnce } from "../files/transaction.ts";
import { createPinWriter, findHeld, readHolds } from "../holds.ts";
import { hasTable } from "../schema/has-column.ts";
import { toInsert, toReplace } from "../schema/digested.ts";
import { checkMigratedIn, readTimeZone } from "../settings.ts";
import { createActSource, readActs } from "../writing/acts.ts";
import { countBehind, keepCaughtUp, type OwnLedger } from "./catch-up.ts";
import { countOwed, putOwed, readOwed } from "./erasure-list.ts";
import { listOfCall } from "./history.ts";
import { checkArchive, openArchiveToKeep } from "./open-archive.ts";

export function createHolds(archive: OwnLedger): Holds {
  const { directory } = archive;
  return {
    add: async (given, by) => {
      checkArchive(directory);
      using database = openDatabase(directory);
      checkMigratedIn(database);
      const unread = await tryCatchUp(archive, database);
      inTransaction(database, () => add(database, given, by));
      const [listed] = list(database, [given.name]);
      return { ...(listed ?? refuseTaken(given.name)), ...(unread !== undefined && { unread }) };
    },
    list: async () => {
      using kept = await openArchiveToKeep(directory);
      const { database } = kept;
      if (!hasTable(database, "hold")) return [];
      return readAtOnce(database, () =>
        list(
          database,
          readHolds(database).map(({ name }) => name),
        ),
      );
    },
    release: async (name) => {
      checkArchive(directory);
      using database = openDatabase(directory);
      return inTransaction(database, () => {
        const { changes } = database.prepare("DELETE FROM hold WHERE name = ?").run(name);
        if (Number(changes) === 0) return undefined;
        return countOwed(database);
      });
    },
  };
}

/** Returns why the ledger could not be read. It has what an interrupted purge was about to erase. */
async function tryCatchUp(archive: OwnLedger, database: DatabaseSync): Promise<string | undefined> {
  try {
    if ((await countBehind(database, archive)) === 0) return undefined;
  } catch (error) {
    if (!(error instanceof ArchiveError) && !isFault(error, "unavailable", "damaged")) throw error;
    return error.message;
  }
  try {
    (await keepCaughtUp(archive, database))[Symbol.dispose]();
  } catch (error) {
    // The archive is behind only because a purge is running.
    if (!(error instanceof ArchiveError)) throw error;
  }
  return undefined;
}

function add(database: DatabaseSync, given: NewHold, by: Writer): void {
  if (readHolds(database).some(({ name }) => name === given.name)) refuseTaken(given.name);
  const stored = toStoredHold(given, createActSource(database, by)());
  const { judgePast } = createHoldJudge([stored], readTimeZone(database));
  database.prepare(toInsert("hold")).run({ ...stored });
  const pin = createPinWriter(database);
  if ("callIds" in given.holds) {
    for (const callId of given.holds.callIds) pin({ hold: stored.name, callId });
    return;
  }
  // The states before it was replaced count as well.
  const names = prepareRows<{ name: string }>(
    database,
    "SELECT DISTINCT name FROM version WHERE kind = 'call'",
  );
  const toChat = createChatReader(database);
  for (const { name: callId } of names.all())
    for (const { state } of listOfCall(database, callId))
      for (const hold of judgePast(state, () => toChat(callId))) pin({ hold, callId });
}

function list(database: DatabaseSync, names: readonly string[]): readonly ListedHold[] {
  const held = findHeld(database, "all");
  const stored = readHolds(database).filter(({ name }) => names.includes(name));
  const acts = readActs(
    database,
    stored.map(({ act }) => act),
  );
  return stored.map((hold) => {
    const missing = hold.asked === null ? listMissing(database, hold.name) : [];
    return toListedHold(hold, { added: acts.get(hold.act), calls: held.count(hold.name), missing });
  });
}

const listMissing = (database: DatabaseSync, hold: string): readonly string[] =>
  prepareRows<{ callId: string }>(
    database,
    `SELECT call_id AS callId FROM held WHERE hold = ? AND NOT EXISTS (SELECT 1 FROM call WHERE call.call_id = held.call_id)
       AND NOT EXISTS (SELECT 1 FROM chat WHERE chat.call_id = held.call_id) ORDER BY call_id`,
  )
    .all(hold)
    .map(({ callId }) => callId);

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
  const { callIds, references } = readOwed(database);
  for (const callId of callIds) yield { kind: "owed", callId };
  for (const reference of references) yield { kind: "owed_reference", reference };
}

/** Writes a row that `listKept` has returned. */
export function putKept(database: DatabaseSync, row: InternalRow): void {
  if (row.kind === "held") createPinWriter(database)(row);
  if (row.kind === "owed") putOwed(database, { callIds: [row.callId], references: [] });
  if (row.kind === "owed_reference")
    putOwed(database, { callIds: [], references: [row.reference] });
  if (row.kind === "hold") putHold(database, row);
}

function putHold(database: DatabaseSync, row: Omit<StoredHold, "act"> & { readonly added: Act }) {
  const { name, reason, asked, added } = row;
  if (readHolds(database).some((one) => one.name === name)) return;
  const { atMs: at_ms, operation, operator, run = null } = added;
  const last = database.prepare("SELECT ifnull(max(id), 0) AS id FROM act").get();
  const act = Number(last?.["id"]) + 1;
  database.prepare(toReplace("act")).run({ id: act, at_ms, operation, operator, run });
  database.prepare(toInsert("hold")).run({ name, reason, asked, act });
}
