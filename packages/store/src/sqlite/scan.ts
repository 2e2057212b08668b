// Reads a complete archive for export, in the order in which an import needs it.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { ArchiveItem, CallItem, Days, Scan, ScannedRow, ScanOptions } from "../port/index.ts";
import { toInstants } from "../values/days.ts";
import { recordAct } from "./access/operator-row.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import { createMessageReader, MESSAGE_COLUMNS, type MessageRow } from "./chats.ts";
import { toStoreFault } from "./faults.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { isBackup } from "./files/database.ts";
import { keepFromPurging } from "./files/purge-lock.ts";
import { createLegNumbers } from "../values/leg-numbers.ts";
import { listAltered, listLost } from "./digested-rows.ts";
import { createMomentTest } from "../values/moment.ts";
import { ARCHIVE_SCHEMA } from "./schema/archive-schema.ts";
import { listSchemaDamage } from "./schema/compare-schema.ts";
import { isWholeIn } from "./schema/digested.ts";
import { FIRST_DATED_ID, toFirstId, toInstantMs, toLastOfMoment } from "../values/order-key.ts";
import { checkRecording, createMediaReader, toRecording } from "./recording-rows.ts";
import { checkMigratedIn, readSetting, readTimeZone } from "./settings.ts";
import {
  nameDamagedCall,
  nameDamagedMessage,
  nameDamagedPerson,
  notWritten,
  readWhole,
} from "../values/damaged-records.ts";
import { toDeclaredIdentity } from "../values/identity.ts";
import { toPerson } from "../values/persons.ts";
import { listDamagedTables } from "./table-check.ts";
import { readPerson, selectPersons } from "./users.ts";

/** The ids of calls within some days; all ids without days. */
export interface IdSpan {
  readonly first: bigint;
  readonly until: bigint;
}

export const EVERY_ID: IdSpan = { first: -(2n ** 63n), until: 2n ** 63n - 1n };

/** A condition for a row of `call`, with the values of an `IdSpan`. */
export const IN_SPAN = "call.id >= :first AND call.id < :until";

/** Throws `ArchiveError` for an invalid day. */
export function toIdSpan(days: Days, timeZone: string): IdSpan {
  const { fromMs, untilMs } = toInstants(days, timeZone);
  if (fromMs === undefined && untilMs === undefined) return EVERY_ID;
  return {
    first: fromMs === undefined ? FIRST_DATED_ID : toFirstId(fromMs),
    until: untilMs === undefined ? EVERY_ID.until : toFirstId(untilMs),
  };
}

// Records are read only once, in their stored order, so the pages need not stay cached.
const SMALL_CACHE = "PRAGMA cache_size = -16384";

/** Closes `database` when disposed, or if this throws. */
export function openScan(
  database: DatabaseSync,
  directory: string,
  { act, after, ...days }: ScanOptions,
): Scan {
  const held: Disposable[] = [{ [Symbol.dispose]: () => database.close() }];
  const release = () => {
    // It only read, and with a damaged file ending the transaction may fail.
    if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
    for (const one of held.splice(0).toReversed()) one[Symbol.dispose]();
  };
  try {
    const timeZone = readTimeZone(database);
    const rows = createRows(database, { days, timeZone, after });
    if (!isBackup(directory)) {
      held.push(keepFromPurging(directory));
      // Without a command the reader is the migration itself.
      if (act !== undefined) checkMigratedIn(database);
      if (act !== undefined) recordAct(database, directory, act);
    }
    database.exec(SMALL_CACHE);
    return {
      archiveId: readSetting(database, "archive_id"),
      timeZone,
      bytes: rows.measure(),
      rows: () => guardRows(rows.read()),
      [Symbol.asyncDispose]: async () => release(),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Throws `StoreFault`. */
async function* guardRows(rows: AsyncIterable<ScannedRow>): AsyncGenerator<ScannedRow> {
  try {
    yield* rows;
  } catch (error) {
    throw toStoreFault(error);
  }
}

// Messages of the calls that are read; messages without a call by their own time.
const CHATS = `EXISTS (SELECT 1 FROM call WHERE call.call_id = chat.call_id AND ${IN_SPAN})`;
const LONE_CHATS = `(instant_ms >= :fromMs AND instant_ms < :untilMs OR :isWhole)
  AND NOT EXISTS (SELECT 1 FROM call WHERE call.call_id = chat.call_id)`;

interface RowsAsked {
  readonly days: Days;
  readonly timeZone: string;
  readonly after: string | undefined;
}

function createRows(database: DatabaseSync, { days, timeZone, after }: RowsAsked) {
  const { fromMs, untilMs } = toInstants(days, timeZone);
  const span = { ...toIdSpan(days, timeZone) };
  const isWhole = fromMs === undefined && untilMs === undefined ? 1 : 0;
  const ofTime = {
    fromMs: fromMs ?? Number.MIN_SAFE_INTEGER,
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
    isWhole,
  };
  const sum = (table: string, where: string, values: Record<string, SQLInputValue>) => {
    const sql = `SELECT total(length(record)) AS n FROM ${table} WHERE ${where}`;
    return Number(database.prepare(sql).get(values)?.["n"]);
  };
  return {
    measure: () => sum("call", IN_SPAN, span) + sum("chat", CHATS, span),
    read: async function* (): AsyncGenerator<ScannedRow> {
      // From here on all rows are read from one state.
      database.exec("BEGIN");
      let isKnown = false;
      for (const row of readAll()) {
        isKnown ||= row.damaged !== undefined && row.damaged.length > 0;
        yield row;
      }
      // If a trigger is missing, rows can be missing as well.
      if (isWhole === 1)
        for (const name of listSchemaDamage(database, ARCHIVE_SCHEMA)) yield toDamaged(name);
      if (isWhole === 1)
        for (const name of listLost(database, SCANNED, isKnown)) yield toDamaged(name);
    },
  };
  function* readAll(): Generator<ScannedRow> {
    for (const table of listDamagedTables(database)) yield toDamaged(table);
    // With a damaged call_id a call would not find its revision.
    for (const name of listAltered(database, "call_revision")) yield toDamaged(name);
    yield* readPersons(database);
    yield* readCalls(database, span, after === undefined ? undefined : BigInt(after));
    const readMessage = createMessageReader(database);
    const sql = `SELECT ${MESSAGE_COLUMNS} FROM chat WHERE ${LONE_CHATS} ORDER BY id`;
    for (const row of prepareRows<MessageRow>(database, sql).iterate(ofTime)) {
      const record = readWhole(() => readMessage(row));
      yield record === undefined
        ? toDamaged(nameDamagedMessage(row.call_id))
        : toRow([{ kind: "chat", record }], row.record);
    }
  }
}

function* readPersons(database: DatabaseSync): Generator<ScannedRow> {
  for (const table of ["user", "flag"] as const)
    for (const row of database.prepare(selectPersons(table)).iterate()) {
      const person = readWhole(() => toPerson(table, readPerson(table, row), row["user_id"]));
      yield person === undefined ? toDamaged(nameDamagedPerson(table, row["id"])) : toRow([person]);
    }
}

const SCANNED = ["user", "flag", "call", "recording", "media", "chat", "call_revision"] as const;

const toDamaged = (name: string): ScannedRow => ({ items: [], damaged: [name], bytes: 0 });

const toRow = (items: readonly ArchiveItem[], text: unknown = ""): ScannedRow => ({
  items,
  bytes: String(text).length,
});

interface CallColumns extends CallRow {
  readonly identity: Uint8Array | null;
  readonly revised_ms: bigint | null;
  /** 0 if it is damaged. */
  readonly whole_revision: bigint;
}

/** Newest first, which is also the order in which equal instants were imported (D09). */
function* readCalls(
  database: DatabaseSync,
  span: IdSpan,
  after: bigint | undefined,
): Generator<ScannedRow> {
  const { toRecord } = createRecordForm(database);
  const calls = prepareBig<CallColumns>(
    database,
    `SELECT ${CALL_COLUMNS}, identity,
       (SELECT revised_ms ${REVISION}) AS revised_ms,
       ifnull((SELECT ${isWholeIn(database, "call_revision")} ${REVISION}), 1) AS whole_revision
     FROM call WHERE ${IN_SPAN} AND id <= :last ORDER BY id DESC`,
  );
  const isOfMoment = createMomentTest(readTimeZone(database));
  const recordingsOf = createMediaReader(database);
  const chatOf = createChatReader(database, span);
  const toItem = (row: CallColumns): CallItem => {
    const recordings = recordingsOf(row.id);
    const record = toRecord(row, recordings);
    if (row.whole_revision === 0n || !isOfMoment(row.id, record)) throw notWritten("");
    return {
      kind: "call",
      record,
      sessionId: row.session_id ?? undefined,
      masterId: row.master_id ?? undefined,
      revisedMs: row.revised_ms === null ? undefined : Number(row.revised_ms),
      identity: toDeclaredIdentity(row.identity),
      recordings: recordings.map((one) => toRecording(checkRecording(one))),
    };
  };
  const withNumber = createLegNumbers();
  // The legs of an instant that was already begun have numbers too.
  const last = after === undefined ? span.until : toLastOfMoment(after);
  for (const row of calls.iterate({ ...span, last })) {
    const whole = readWhole(() => toItem(row));
    const call = whole && withNumber(whole, toInstantMs(row.id));
    if (after !== undefined && row.id >= after) continue;
    const chat = chatOf(row);
    yield {
      id: String(row.id),
      bytes: chat.bytes + row.record.length,
      items: call === undefined ? chat.messages : [call, ...chat.messages],
      damaged: [
        ...(call === undefined ? [nameDamagedCall(row.call_id, row.ref_id)] : []),
        ...chat.damaged,
      ],
    };
  }
}

const REVISION = "FROM call_revision WHERE call_revision.call_id = call.call_id";

const NO_CHAT = { messages: [], damaged: [], bytes: 0 };

/** The chat is returned with the newest record of its call. */
function createChatReader(database: DatabaseSync, span: IdSpan) {
  const isOlder = database.prepare(
    `SELECT 1 FROM call WHERE call_id = :callId AND ${IN_SPAN} AND id > :id`,
  );
  const select = prepareRows<MessageRow>(
    database,
    `SELECT ${MESSAGE_COLUMNS} FROM chat WHERE call_id = ? ORDER BY id`,
  );
  const readMessage = createMessageReader(database);
  return ({ id, call_id: callId }: CallColumns) => {
    const rows = callId === null ? [] : select.all(callId);
    if (rows.length === 0 || isOlder.get({ ...span, callId, id }) !== undefined) return NO_CHAT;
    const read = rows.map((row) => readWhole(() => readMessage(row)));
    return {
      messages: read.flatMap((record): ArchiveItem[] =>
        record === undefined ? [] : [{ kind: "chat", record }],
      ),
      damaged: read.flatMap((one) => (one === undefined ? [nameDamagedMessage(callId)] : [])),
      bytes: rows.reduce((sum, { record }) => sum + record.length, 0),
    };
  };
}
