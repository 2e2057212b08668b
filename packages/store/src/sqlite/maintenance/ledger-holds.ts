// Makes an archive in a directory and its ledger agree on the holds. The ledger is written first: a process that is killed between the two
// leaves a hold too many, never one too few.
import type { DatabaseSync } from "node:sqlite";
import type { Act } from "../../port/history.ts";
import type { StoredHold } from "../../values/holds.ts";
import { createHoldJudge } from "../../values/holds.ts";
import type { OwnLedger } from "../../values/ledger.ts";
import {
  compareHolds,
  hasChanges,
  type HoldChanges,
  type LedgerHold,
  putHold,
  readHolds as readToldHolds,
} from "../../values/ledger-holds.ts";
import { inHaste } from "../../values/ledger-reach.ts";
import { createChatReader } from "../chats.ts";
import { prepareRows } from "../files/connection.ts";
import { openDatabase } from "../files/database.ts";
import { createPinWriter, readHolds } from "../holds.ts";
import { isWholeIn, toInsert, toReplace } from "../schema/digested.ts";
import { hasTable } from "../schema/has-column.ts";
import { readTimeZone } from "../settings.ts";
import { readActs } from "../writing/acts.ts";
import { listOfCall } from "./history.ts";

/** Without holds whose act is damaged: nothing says when they were added. */
export function listHolds(database: DatabaseSync): readonly LedgerHold[] {
  if (!hasTable(database, "hold")) return [];
  const stored = readHolds(database);
  const acts = readActs(
    database,
    stored.map(({ act }) => act),
  );
  const pins = prepareRows<{ readonly callId: string }>(
    database,
    `SELECT call_id AS callId FROM held WHERE hold = ? AND ${isWholeIn(database, "held")} ORDER BY call_id`,
  );
  return stored.flatMap(({ act, ...hold }) => {
    const added = acts.get(act);
    const callIds = pins.all(hold.name).map(({ callId }) => callId);
    return added === undefined ? [] : [{ ...hold, added, callIds }];
  });
}

export const compareWithLedger = async (
  database: DatabaseSync,
  own: OwnLedger,
): Promise<HoldChanges> => compareHolds(listHolds(database), await readToldHolds(own));

/** Returns what was changed. Throws `LedgerFault` for a damaged ledger. */
export async function matchHolds(
  database: DatabaseSync,
  own: OwnLedger & { readonly directory: string },
): Promise<HoldChanges> {
  const seen = await compareWithLedger(database, own);
  if (!hasChanges(seen)) return seen;
  // Reads of the service may share the given connection.
  using alone = openDatabase(own.directory);
  return await inLongTransaction(alone, async () => {
    const there = { ...own, place: inHaste(own.place) };
    const changes = await compareWithLedger(alone, there);
    for (const hold of changes.told) await putHold(there, hold);
    for (const name of changes.released) removeHold(alone, name);
    for (const hold of changes.added) replaceHold(alone, hold);
    for (const { name: hold, callIds } of changes.widened) pin(alone, { hold, callIds });
    return changes;
  });
}

/** For work that waits for another place. Rolls back if it throws. */
export async function inLongTransaction<T>(
  database: DatabaseSync,
  work: () => Promise<T>,
): Promise<T> {
  database.exec("BEGIN IMMEDIATE");
  try {
    const done = await work();
    database.exec("COMMIT");
    return done;
  } catch (error) {
    // On a full disk the transaction has already ended.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** False if the archive has no hold of the name. Call it in a transaction, as the others below. */
export const removeHold = (database: DatabaseSync, name: string): boolean =>
  Number(database.prepare("DELETE FROM hold WHERE name = ?").run(name).changes) > 0;

function replaceHold(database: DatabaseSync, { callIds, added, ...hold }: LedgerHold): void {
  removeHold(database, hold.name);
  insertHold(database, { ...hold, act: addAct(database, added) });
  pin(database, { hold: hold.name, callIds });
}

/** The act of a command that another copy of the archive has recorded. */
export function addAct(database: DatabaseSync, added: Act): number {
  const { atMs: at_ms, operation, operator, run = null } = added;
  const last = database.prepare("SELECT ifnull(max(id), 0) AS id FROM act").get();
  const id = Number(last?.["id"]) + 1;
  database.prepare(toReplace("act")).run({ id, at_ms, operation, operator, run });
  return id;
}

interface Pins {
  readonly hold: string;
  readonly callIds: Iterable<string>;
}

export function pin(database: DatabaseSync, { hold, callIds }: Pins): void {
  const write = createPinWriter(database);
  for (const callId of callIds) write({ hold, callId });
}

/** A query also holds calls by the states before they were replaced. */
export function insertHold(database: DatabaseSync, stored: StoredHold): void {
  const { judgePast } = createHoldJudge([stored], readTimeZone(database));
  database.prepare(toInsert("hold")).run({ ...stored });
  if (stored.asked === null) return;
  const names = prepareRows<{ name: string }>(
    database,
    "SELECT DISTINCT name FROM version WHERE kind = 'call'",
  );
  const toChat = createChatReader(database);
  for (const { name: callId } of names.all())
    for (const { state } of listOfCall(database, callId))
      for (const hold of judgePast(state, () => toChat(callId)))
        pin(database, { hold, callIds: [callId] });
}
