// The rows of an archive that are not what was written, by the digests that they were stored with.
import type { DatabaseSync } from "node:sqlite";
import {
  nameDamagedCall,
  nameDamagedMessage,
  nameDamagedPerson,
  readWhole,
} from "../values/damaged-records.ts";
import { toDeclaredIdentity } from "../values/identity.ts";
import { CALL_COLUMNS, type CallRow, createCallCheck } from "./call-row.ts";
import { createMessageReader, MESSAGE_COLUMNS, type MessageRow } from "./chats.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { checkRecording, createMediaReader } from "./recording-rows.ts";
import { isWholePerson, type PersonTable, selectPersons } from "./users.ts";

/** A row that is not what was written. */
export interface DamagedRow {
  readonly table: "call" | "chat" | PersonTable;
  /** As an operator finds it. */
  readonly name: string;
  readonly callId: unknown;
}

/** Hands on the rows of a table, and may tell how far that is. */
export type RowWatch = <Row>(
  step: string,
  table: "call" | "chat",
  rows: Iterable<Row>,
) => Iterable<Row>;

/** Reads all calls, messages, users and flags; in a transaction of the caller's they are of one moment. */
export function* listDamaged(
  database: DatabaseSync,
  watch: RowWatch = (_step, _table, rows) => rows,
): Generator<DamagedRow> {
  const check = createCallCheck(database);
  const readRecordings = createMediaReader(database);
  const calls = prepareBig<Identified>(database, `SELECT ${CALL_COLUMNS}, identity FROM call`);
  for (const call of watch("records", "call", calls.iterate())) {
    const { call_id: callId, ref_id } = call;
    const read = () => {
      check(call, readRecordings(call.id).map(checkRecording));
      toDeclaredIdentity(call.identity);
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
}

interface Identified extends CallRow {
  readonly identity: Uint8Array | null;
}

const isWhole = (read: () => unknown): boolean =>
  readWhole(() => {
    read();
    return true;
  }) === true;
