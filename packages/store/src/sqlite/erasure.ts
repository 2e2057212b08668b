// Lists what to erase from archive.db; see erase-batches.ts. scrub.ts cleans up when the rows are gone.
import type { DatabaseSync } from "node:sqlite";
import { readWhole } from "../values/damaged-records.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import { prepareBig } from "./files/connection.ts";
import { DOOMED_VERSIONS } from "./writing/versions.ts";
import type { Named } from "../values/erasure-entry.ts";
import type { HeldCalls } from "../values/holds.ts";
import { findHeld, keepHeld, toKey } from "./holds.ts";
import { HAS_ANY_CALL_ID, HAS_REFERENCE } from "./identifiers.ts";
import type { DueCalls, DueRecord } from "../port/maintenance.ts";
import { FIRST_DATED_ID, toFirstId, toInstantMs } from "../values/order-key.ts";

/**
 * The calls to erase. One of: those before an instant, in ms since 1970, those without a datetime, all with certain call_ids or references,
 * or those that are due.
 */
export type Doomed =
  | { readonly beforeMs: number }
  | { readonly isUndated: true }
  | { readonly named: Named }
  | { readonly due: DueCalls };

export interface DoomedOptions {
  /** See `ErasureFilter.isSound`. */
  readonly isSound: boolean;
}

export interface DoomedRows {
  readonly calls: number;
  readonly chats: number;
  /** Length of their records, for progress. */
  readonly recordBytes: number;
  /** Files that no recording names when these rows are gone. Replaced calls have left some, too. */
  readonly files: number;
  readonly fileBytes: number;
}

const LISTS = `
  DROP TABLE IF EXISTS temp.doomed_call;
  DROP TABLE IF EXISTS temp.doomed_chat;
  DROP TABLE IF EXISTS temp.doomed_file;
  CREATE TEMP TABLE doomed_call (id INTEGER PRIMARY KEY);
  CREATE TEMP TABLE doomed_chat (id INTEGER PRIMARY KEY);
  CREATE TEMP TABLE doomed_file (sha256 TEXT PRIMARY KEY, bytes INTEGER, path TEXT) WITHOUT ROWID;`;

const LIST_FILES = `INSERT INTO doomed_file SELECT sha256, bytes, path FROM media WHERE sha256 NOT IN
  (SELECT sha256 FROM recording WHERE call NOT IN (SELECT id FROM doomed_call))
  AND sha256 NOT IN (SELECT sha256 FROM version_recording WHERE version NOT IN (${DOOMED_VERSIONS}))`;

// The chat of a call is erased with the last of its records.
const WITH_CALLS = `EXISTS (SELECT 1 FROM call JOIN doomed_call USING (id) WHERE call.call_id = chat.call_id)
  AND NOT EXISTS (SELECT 1 FROM call WHERE call.call_id = chat.call_id AND id NOT IN (SELECT id FROM doomed_call))`;

// A call without a datetime is in no date range (D09).
const IN_RANGE = "id >= :first AND id < :until";

// A call is erased whole, when its last record is old enough. Messages without a record are erased by their own time.
const OF_BEFORE = {
  calls: `${IN_RANGE} AND NOT EXISTS (SELECT 1 FROM call AS leg
    WHERE leg.call_id = call.call_id AND (leg.id < :first OR leg.id >= :until))`,
  chats: `${WITH_CALLS}
    OR instant_ms < :beforeMs AND NOT EXISTS (SELECT 1 FROM call WHERE call.call_id = chat.call_id)`,
};

/** Replaces the lists of the connection by empty ones. */
export const createLists = (database: DatabaseSync): void => database.exec(LISTS);

/** Lists the contents that no record names when the listed rows are gone. */
export const listFiles = (database: DatabaseSync): void => database.exec(LIST_FILES);

/** Lists the chats of listed calls of which no record stays. */
export const listChatsOfCalls = (database: DatabaseSync): void =>
  database.exec(`INSERT OR IGNORE INTO doomed_chat SELECT id FROM chat WHERE ${WITH_CALLS}`);

/** Lists what to erase, without what is held, in temporary tables of the connection. */
export function listDoomed(
  database: DatabaseSync,
  doomed: Doomed,
  { isSound }: DoomedOptions,
): DoomedRows & { readonly held: HeldCalls; readonly soundless: number } {
  createLists(database);
  listCalls(database, doomed, isSound);
  if (isSound) database.exec(`DELETE FROM doomed_chat; ${OTHER_LEGS}`);
  const soundless = isSound ? keepWithSound(database) : 0;
  const held = findHeld(database, "doomed");
  keepHeld(database, held);
  return { ...count(database), held, soundless };
}

// All recordings of a call go at once, whatever the list names of it.
const OTHER_LEGS = `INSERT OR IGNORE INTO doomed_call SELECT leg.id FROM doomed_call JOIN call AS own USING (id)
  JOIN call AS leg ON leg.call_id = own.call_id`;

/** SQL: true if the record with this id has recordings, now or in an earlier state. */
const hasSound = (id: string): string => `(EXISTS (SELECT 1 FROM recording WHERE call = ${id})
  OR EXISTS (SELECT 1 FROM call AS own JOIN version ON kind = 'call' AND name = own.call_id
    JOIN version_recording ON version_recording.version = version.id WHERE own.id = ${id}))`;

/** Reduces the list to the calls that have recordings, now or in an earlier state. Returns the number of the other records. */
export function keepWithSound(database: DatabaseSync): number {
  const sql = `DELETE FROM doomed_call WHERE NOT ${hasSound("doomed_call.id")}`;
  return Number(database.prepare(sql).run().changes);
}

function listCalls(database: DatabaseSync, doomed: Doomed, isSound: boolean): void {
  const list = (table: "call" | "chat", where: string) =>
    database.prepare(
      `INSERT OR IGNORE INTO doomed_${table} SELECT id FROM ${table} WHERE ${where}`,
    );
  if ("named" in doomed) {
    const names = JSON.stringify([...doomed.named.callIds]);
    list("call", HAS_ANY_CALL_ID).run(names);
    const ofReference = list("call", HAS_REFERENCE);
    for (const reference of doomed.named.references) ofReference.run(reference);
    list("chat", `${HAS_ANY_CALL_ID} OR ${WITH_CALLS}`).run(names);
  } else if ("isUndated" in doomed) {
    list("call", "id < ?").run(FIRST_DATED_ID);
    list("chat", WITH_CALLS).run();
  } else if ("due" in doomed) {
    listDue(database, doomed.due, isSound);
    list("chat", OF_BEFORE.chats).run({ beforeMs: doomed.due.messagesUntilMs });
  } else {
    const { beforeMs } = doomed;
    list("call", OF_BEFORE.calls).run({ first: FIRST_DATED_ID, until: toFirstId(beforeMs) });
    list("chat", OF_BEFORE.chats).run({ beforeMs });
  }
}

function listDue(database: DatabaseSync, due: DueCalls, isSound: boolean): void {
  const { untilMs, isDue } = due;
  if (untilMs === -Infinity) return;
  const { toRecord } = createRecordForm(database);
  const add = database.prepare("INSERT INTO doomed_call (id) VALUES (?)");
  const listLegs = createLegLister(database);
  const isHeard = database.prepare(`SELECT ${hasSound("?1")} AS has`);
  const toDated = (row: CallRow): DueRecord => ({
    record: toRecord(row),
    instantMs: toInstantMs(row.id),
    ...(isSound && { hasSound: isHeard.get(row.id)?.["has"] === 1 }),
  });
  const isListed = (legs: readonly CallRow[]) => {
    const records = legs.map(toDated);
    const isAsked = !isSound || records.some((one) => one.hasSound);
    return isAsked && legs.slice(0, 1).some((leg) => isDue(records, toLegKey(leg)));
  };
  const rows = prepareBig<CallRow>(database, `SELECT ${CALL_COLUMNS} FROM call WHERE ${IN_RANGE}`);
  for (const row of rows.iterate({ first: FIRST_DATED_ID, until: toFirstId(untilMs) })) {
    const legs = listLegs(row);
    if (legs.length > 0 && readWhole(() => isListed(legs)) === true)
      for (const { id } of legs) add.run(id);
  }
}

const toLegKey = ({ id, call_id: callId }: CallRow) => toKey("call", { callId, id });

/** A function that returns all records of a call for the first of them that has a datetime, and none for the others. */
function createLegLister(database: DatabaseSync): (row: CallRow) => readonly CallRow[] {
  const hasEarlier = database.prepare(
    `SELECT 1 FROM call WHERE call_id = :callId AND id >= ${FIRST_DATED_ID} AND id < :id LIMIT 1`,
  );
  const select = prepareBig<CallRow>(
    database,
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ?`,
  );
  return (row) => {
    const { id, call_id: callId } = row;
    if (callId === null) return [row];
    return hasEarlier.get({ callId, id }) === undefined ? select.all(callId) : [];
  };
}

function count(database: DatabaseSync): DoomedRows {
  listFiles(database);
  return sumUp(database);
}

export function sumUp(database: DatabaseSync): DoomedRows {
  const calls = sum(database, "call JOIN doomed_call USING (id)", "length(record)");
  const chats = sum(database, "chat JOIN doomed_chat USING (id)", "length(record)");
  const files = sum(database, "doomed_file WHERE path IS NULL", "bytes");
  return {
    calls: calls.rows,
    chats: chats.rows,
    recordBytes: calls.bytes + chats.bytes,
    files: files.rows,
    fileBytes: files.bytes,
  };
}

function sum(database: DatabaseSync, rows: string, bytes: string) {
  const found = database
    .prepare(`SELECT count(*) AS n, ifnull(sum(${bytes}), 0) AS bytes FROM ${rows}`)
    .get();
  return { rows: Number(found?.["n"]), bytes: Number(found?.["bytes"]) };
}

/** The call_ids of the calls that were listed. */
export function listCallIds(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare(
      "SELECT DISTINCT call_id FROM call JOIN doomed_call USING (id) WHERE call_id IS NOT NULL",
    )
    .all();
  return rows.map(({ call_id }) => String(call_id));
}

/** The linked files that no record names when these rows are gone. */
export function listUnlinked(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare("SELECT path FROM doomed_file WHERE path IS NOT NULL ORDER BY path")
    .all();
  return rows.map((row) => String(row["path"]));
}

/** The listed files in the archive's directory that no record named even before. */
export function listUnreferenced(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare(
      "SELECT sha256 FROM doomed_file WHERE path IS NULL AND sha256 NOT IN (SELECT sha256 FROM recording) AND sha256 NOT IN (SELECT sha256 FROM version_recording)",
    )
    .all();
  return rows.map((row) => String(row["sha256"]));
}

/** The listed files in the archive's directory. */
export function* readDoomedFiles(
  database: DatabaseSync,
): Generator<{ readonly sha256: string; readonly bytes: number }> {
  for (const row of database
    .prepare("SELECT sha256, bytes FROM doomed_file WHERE path IS NULL")
    .iterate())
    yield { sha256: String(row["sha256"]), bytes: Number(row["bytes"]) };
}

/** Removes the rows of the listed files; call it when the files are gone, so that until then they are found again. */
export function forgetFiles(database: DatabaseSync): void {
  database.exec("DELETE FROM media WHERE sha256 IN (SELECT sha256 FROM doomed_file)");
}
