// Finds the damaged rows of an archive, by their stored digests.
import type { DatabaseSync } from "node:sqlite";
import { hasTable } from "./schema/has-column.ts";
import {
  nameDigested,
  nameDamagedCall,
  nameDamagedMessage,
  nameDamagedPerson,
  notWritten,
  readWhole,
} from "../values/damaged-records.ts";
import { toDeclaredIdentity } from "../values/identity.ts";
import { createMomentTest } from "../values/moment.ts";
import { readTimeZone } from "./settings.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm } from "./call-row.ts";
import { createMessageReader, MESSAGE_COLUMNS, type MessageRow } from "./chats.ts";
import { listAltered, listLost } from "./digested-rows.ts";
import { isOfIndex } from "./schema/row-sums.ts";
import { ARCHIVE_SCHEMA } from "./schema/archive-schema.ts";
import type { DigestedTable } from "./schema/digested.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { checkRecording, createMediaReader } from "./recording-rows.ts";
import { isWholePerson, type PersonTable, selectPersons } from "./users.ts";

/** A damaged row, or a table that lacks rows. */
export interface DamagedRow {
  /** Undefined for a table that lacks rows. */
  readonly table: "call" | "chat" | PersonTable | DigestedTable | undefined;
  /** The name by which an operator finds it. */
  readonly name: string;
  readonly callId: unknown;
}

/** Passes on the rows of a table, and may report progress. */
export type RowWatch = <Row>(
  step: string,
  table: "call" | "chat",
  rows: Iterable<Row>,
) => Iterable<Row>;

/**
 * Reads and counts all calls, messages, users, flags, tombstones and settings. In a transaction of the caller they are
 * of one state.
 */
export function* listDamaged(database: DatabaseSync, watch?: RowWatch): Generator<DamagedRow> {
  let isKnown = false;
  for (const row of listDamagedRows(database, watch)) {
    isKnown = true;
    yield row;
  }
  yield* toLost(listLost(database, RECORD_TABLES, isKnown));
}

const RECORD_TABLES = ARCHIVE_SCHEMA.summed.filter((table) => !isOfIndex(table));

function* listDamagedRows(
  database: DatabaseSync,
  watch: RowWatch = (_step, _table, rows) => rows,
): Generator<DamagedRow> {
  const { toRecord } = createRecordForm(database);
  const isOfMoment = createMomentTest(readTimeZone(database));
  const readRecordings = createMediaReader(database);
  const calls = prepareBig<Identified>(database, `SELECT ${CALL_COLUMNS}, identity FROM call`);
  for (const call of watch("records", "call", calls.iterate())) {
    const { call_id: callId, ref_id } = call;
    const read = () => {
      const record = toRecord(call, readRecordings(call.id).map(checkRecording));
      toDeclaredIdentity(call.identity);
      if (!isOfMoment(call.id, record)) throw notWritten("");
    };
    if (!isWhole(read)) yield { table: "call", name: nameDamagedCall(callId, ref_id), callId };
  }
  const readMessage = createMessageReader(database);
  const chats = prepareRows<MessageRow>(database, `SELECT ${MESSAGE_COLUMNS} FROM chat`);
  for (const chat of watch("chats", "chat", chats.iterate())) {
    const { call_id: callId } = chat;
    if (!isWhole(() => readMessage(chat)))
      yield { table: "chat", name: nameDamagedMessage(callId), callId };
  }
  for (const table of ["user", "flag"] as const)
    for (const row of database.prepare(selectPersons(table)).iterate())
      if (!isWholePerson(table, row))
        yield { table, name: nameDamagedPerson(table, row["id"]), callId: null };
  yield* listLostActs(database);
  yield* listAlteredOnly(database, ARCHIVE_SCHEMA.digested);
}

/** Rows whose act is missing: the digest of a record does not cover its act. */
function* listLostActs(database: DatabaseSync): Generator<DamagedRow> {
  if (!hasTable(database, "act")) return;
  for (const table of ["call", "chat", "user", "flag"] as const) {
    const rows = database.prepare(
      `SELECT id, act FROM ${table} WHERE act IS NOT NULL AND act NOT IN (SELECT id FROM act) LIMIT 1`,
    );
    rows.setReadBigInts(true);
    for (const { act } of rows.iterate())
      yield { table: "act", name: nameDigested("act", { id: act }), callId: null };
  }
}

/** Reads all rows of tables whose rows have a digest. */
export function* listAlteredRows(
  database: DatabaseSync,
  tables: readonly DigestedTable[],
): Generator<DamagedRow> {
  const altered = [...listAlteredOnly(database, tables)];
  yield* altered;
  yield* toLost(listLost(database, tables, altered.length > 0));
}

const toLost = (names: readonly string[]) =>
  names.map((name) => ({ table: undefined, name, callId: null }));

function* listAlteredOnly(
  database: DatabaseSync,
  tables: readonly DigestedTable[],
): Generator<DamagedRow> {
  for (const table of tables)
    for (const name of listAltered(database, table)) yield { table, name, callId: null };
}

interface Identified extends CallRow {
  readonly identity: Uint8Array | null;
}

const isWhole = (read: () => unknown): boolean =>
  readWhole(() => {
    read();
    return true;
  }) === true;
