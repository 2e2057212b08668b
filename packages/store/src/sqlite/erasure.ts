// Lists what to erase from archive.db, and cleans up when the rows are gone; see erase-batches.ts.
import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { readWhole } from "../values/damaged-records.ts";
import { createStoredNamer, listMessageNames, type Sought } from "../values/tombstones.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { isFull } from "./files/full-disk.ts";
import { DOOMED_VERSIONS } from "./writing/versions.ts";
import { inTransaction } from "./files/transaction.ts";
import type { Named } from "../values/erasure-entry.ts";
import type { HeldCalls } from "../values/holds.ts";
import { findHeld, keepHeld, toKey } from "./holds.ts";
import { HAS_ANY_CALL_ID, HAS_REFERENCE } from "./identifiers.ts";
import type { DueCalls, DueRecord } from "../port/maintenance.ts";
import { FIRST_DATED_ID, toFirstId, toInstantMs } from "../values/order-key.ts";
import { openSegmentIndex } from "./segment-index/segment-index.ts";
import { ARCHIVE_SCHEMA } from "./schema/archive-schema.ts";
import { setTempStore } from "./schema/settle-schema.ts";
import { readTimeZone } from "./settings.ts";
import { isSwept, noteSwept } from "./swept.ts";
import { toErased } from "./tombstones.ts";

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

/** Lists what to erase, without what is held, in temporary tables of the connection. */
export function listDoomed(
  database: DatabaseSync,
  doomed: Doomed,
  { isSound }: DoomedOptions,
): DoomedRows & { readonly held: HeldCalls; readonly soundless: number } {
  database.exec(LISTS);
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
function keepWithSound(database: DatabaseSync): number {
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
  database.exec(LIST_FILES);
  return sumUp(database);
}

function sumUp(database: DatabaseSync): DoomedRows {
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

/** Returns a function that is true for a call of the archive that one of these marks is for. */
export function createCallTest(
  database: DatabaseSync,
  isMarked: (names: readonly Sought[]) => boolean,
): (id: bigint) => boolean {
  const find = prepareBig<StoredRow>(database, `${CALLS} WHERE id = ?`);
  const { toRecord } = createRecordForm(database);
  const toNames = createStoredNamer(readTimeZone(database));
  return (id) => {
    const row = find.get(id);
    const call = row && readWhole(() => toErased(row, toRecord));
    return call !== undefined && isMarked(toNames(call));
  };
}

interface Marked {
  readonly isMarked: (names: readonly Sought[]) => boolean;
  /** Of the contents that nothing names any more only these are listed. */
  readonly sounds: ReadonlySet<string>;
}

/** Lists the rows that these marks are for, as far as they exist. Reads every call. */
export function listMarked(database: DatabaseSync, { isMarked, sounds }: Marked): DoomedRows {
  database.exec(LISTS);
  listMarkedCalls(database, (names) => isMarked(names.filter(({ isSound }) => isSound !== true)));
  const addChat = database.prepare("INSERT INTO doomed_chat (id) VALUES (?)");
  for (const { id, digest, ...message } of prepareRows<MessageRow>(database, CHATS).iterate())
    if (isMarked(listMessageNames(digest, message))) addChat.run(id);
  database.exec(`INSERT OR IGNORE INTO doomed_chat SELECT id FROM chat WHERE ${WITH_CALLS}`);
  return countSounds(database, sounds);
}

/** Lists the calls of whose recordings these marks are. Reads every call. */
export function listMarkedSound(database: DatabaseSync, { isMarked, sounds }: Marked): DoomedRows {
  database.exec(LISTS);
  listMarkedCalls(database, (names) => isMarked(names.filter(({ isSound }) => isSound === true)));
  keepWithSound(database);
  return countSounds(database, sounds);
}

function countSounds(database: DatabaseSync, sounds: ReadonlySet<string>): DoomedRows {
  database.exec(LIST_FILES);
  database.prepare(OTHER_SOUNDS).run(JSON.stringify([...sounds]));
  return sumUp(database);
}

const OTHER_SOUNDS =
  "DELETE FROM doomed_file WHERE sha256 NOT IN (SELECT value FROM json_each(?)) OR path IS NOT NULL";

function listMarkedCalls(
  database: DatabaseSync,
  isMarked: (names: readonly Sought[]) => boolean,
): void {
  const addCall = database.prepare("INSERT INTO doomed_call (id) VALUES (?)");
  const { toRecord } = createRecordForm(database);
  const toNames = createStoredNamer(readTimeZone(database));
  for (const row of prepareBig<StoredRow>(database, CALLS).iterate()) {
    const call = readWhole(() => toErased(row, toRecord));
    if (call !== undefined && isMarked(toNames(call))) addCall.run(row.id);
  }
}

type StoredRow = CallRow & { readonly identity: Uint8Array | null };

const CALLS = `SELECT ${CALL_COLUMNS}, identity FROM call`;

interface MessageRow {
  readonly id: number;
  readonly digest: Uint8Array;
  readonly callId: string | null;
  readonly instantMs: number;
}

const CHATS = 'SELECT id, digest, call_id AS "callId", instant_ms AS "instantMs" FROM chat';

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

export const EMPTY_LOG = "PRAGMA wal_checkpoint(TRUNCATE)";

// A search may read an old state for 10 seconds, so this waits 12. Half of each attempt is spent waiting in SQLite, which blocks this
// process.
const LOG_ATTEMPTS = 24;
const LOG_WAIT_MS = 250;

export interface Scrubbed {
  /** False if a reader holds an old state, which the log then still has, or if the disk lacks room. */
  readonly isComplete: boolean;
  /** The free bytes that the rest needs; undefined if the disk had enough. */
  readonly roomBytes: number | undefined;
}

/** Frees the space, so that no erased data can be read from the file or its log. */
export async function scrub(database: DatabaseSync): Promise<Scrubbed> {
  const roomBytes = rewrite(database);
  database.exec(`PRAGMA busy_timeout = ${LOG_WAIT_MS}`);
  const checkpoint = database.prepare(EMPTY_LOG);
  for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt += 1) {
    if (checkpoint.get()?.["busy"] === 0) return { isComplete: roomBytes === undefined, roomBytes };
    await setTimeout(LOG_WAIT_MS);
  }
  return { isComplete: false, roomBytes };
}

/** Returns the free bytes that this needs if the disk has fewer; the steps that failed have then changed nothing. */
function rewrite(database: DatabaseSync): number | undefined {
  // The lists are no longer needed, and a temporary file as large as the database should not be in memory.
  setTempStore(database, ARCHIVE_SCHEMA, "DEFAULT");
  const isFirst = !isSwept(database);
  const done = unlessFull(() => {
    inTransaction(database, () => openSegmentIndex(database).erase(isFirst));
    // Empties the log for what the next step writes to it.
    database.exec(EMPTY_LOG);
    if (!isFirst) return;
    // Earlier versions left old content in free pages, also that of replaced calls.
    database.exec("VACUUM");
    noteSwept(database);
  });
  // Free pages hold no content; this only shrinks the file.
  if (done && !isFirst && hasMuchFree(database)) unlessFull(() => database.exec("VACUUM"));
  if (done) return undefined;
  const { bytes } = database.prepare(USED_BYTES).get() ?? {};
  return REWRITES * Number(bytes);
}

/** False if the disk is full. */
function unlessFull(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isFull(error)) return false;
    throw error;
  }
}

/** With fewer free pages, rewriting the file would take longer than imports take to fill them. */
const hasMuchFree = (database: DatabaseSync): boolean =>
  database.prepare(FREE_SHARE).get()?.["isMuch"] === 1;

const FREE_SHARE = `SELECT freelist_count * 4 > page_count AS isMuch FROM pragma_page_count, pragma_freelist_count`;

// Once into a temporary file, which may be on the same disk, and once into the log.
const REWRITES = 2;

const USED_BYTES = `SELECT page_size * (page_count - freelist_count) AS bytes
  FROM pragma_page_size, pragma_page_count, pragma_freelist_count`;
