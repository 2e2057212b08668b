// Compares rows with the digests that they were stored with: SQLite keeps no checksums, so a byte that the disk has changed would stay
// unnoticed, and a copy would call it well.
import type { DatabaseSync } from "node:sqlite";
import type { ChatMessageRecord } from "../port/index.ts";
import { toStoredDigest } from "../values/call-digest.ts";
import { nameDamagedCall, nameDamagedMessage, readWhole } from "../values/damaged-records.ts";
import { parseDatetime } from "../values/instant.ts";
import { parseStored } from "../values/record-form.ts";
import { toRowDigest, toTextDigest } from "../values/row-digest.ts";
import type { RecordRow } from "./call-row.ts";
import { prepareBig } from "./files/connection.ts";
import { createRecordingReader } from "./recording-rows.ts";
import { readSetting } from "./settings.ts";
import { DIGESTED } from "./users.ts";

type Row = Readonly<Record<string, unknown>>;

/** A row that is not what was written. */
export interface DamagedRow {
  readonly table: "call" | "chat" | keyof typeof DIGESTED;
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
  const isWhole = createCallCheck(database);
  const calls = prepareBig<CheckedCall>(database, `SELECT ${CHECKED_COLUMNS} FROM call`);
  for (const call of watch("records", "call", calls.iterate()))
    if (!isWhole(call))
      yield {
        table: "call",
        name: nameDamagedCall(call.call_id, call.ref_id),
        callId: call.call_id,
      };
  const isWholeMessage = createMessageCheck(database);
  const chats = database.prepare(`SELECT ${MESSAGE_COLUMNS} FROM chat`);
  for (const { call_id: callId, ...chat } of watch("chats", "chat", chats.iterate()))
    if (!isWholeMessage({ ...chat, call_id: callId }))
      yield { table: "chat", name: nameDamagedMessage(callId), callId };
  for (const table of ["user", "flag"] as const)
    for (const row of database.prepare(selectPersons(table)).iterate())
      if (!isWholePerson(table, row))
        yield { table, name: `${table} ${String(row["id"])}`, callId: null };
}

const CHECKED_COLUMNS = "id, call_id, ref_id, session_id, master_id, identity, digest, record";

interface CheckedCall extends RecordRow {
  readonly id: bigint;
  readonly session_id: string | null;
  readonly master_id: string | null;
  readonly identity: Uint8Array | null;
  readonly digest: Uint8Array;
}

function createCallCheck(database: DatabaseSync): (call: CheckedCall) => boolean {
  const readRecordings = createRecordingReader(database);
  return (call) => {
    const digest = readWhole(() => toStoredDigest(call, readRecordings(call.id)));
    return digest !== undefined && isEqual(call.digest, digest);
  };
}

export const MESSAGE_COLUMNS = "call_id, instant_ms, digest, record";

/** Makes a function that checks a row of `MESSAGE_COLUMNS`. */
export function createMessageCheck(database: DatabaseSync): (row: Row) => boolean {
  const timeZone = readSetting(database, "time_zone");
  return ({ call_id: callId, instant_ms, digest, record }) => {
    if (!isEqual(digest, toTextDigest(String(record)))) return false;
    const { call_id, datetime }: ChatMessageRecord = parseStored(record);
    const parsed = parseDatetime(datetime, timeZone);
    const instantMs = typeof parsed === "string" ? undefined : parsed.instantMs;
    // By these it is found, and purged: by another call_id it would be the chat of another call, or of none.
    return callId === call_id && instant_ms === instantMs;
  };
}

/** A statement for the rows that `isWholePerson` checks. */
export const selectPersons = (table: keyof typeof DIGESTED) =>
  `SELECT ${DIGESTED[table].join()}, digest FROM ${table} ORDER BY id`;

export function isWholePerson(table: keyof typeof DIGESTED, row: Row): boolean {
  return isEqual(row["digest"], toRowDigest(DIGESTED[table].map((column) => row[column])));
}

export function isEqual(stored: unknown, digest: Uint8Array): boolean {
  return stored instanceof Uint8Array && Buffer.compare(stored, digest) === 0;
}
