// Reading an archive's records to write them out again: in the order in which an import has to meet them.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type {
  CallItem,
  ChatMessageRecord,
  FlagRecord,
  MetadataRecord,
  UserRecord,
} from "../call-store.ts";
import { parseStored, RECORD_COLUMNS, type RecordRow, createRecordForm } from "./call-row.ts";
import { prepareBig, prepareRows } from "./files/connection.ts";
import { FIRST_DATED_ID, toFirstId } from "./order-key.ts";
import { toDeclaredIdentity } from "../values/call-digest.ts";
import { createRecordingReader, type StoredRecording } from "./recording-rows.ts";

/** Which calls are read: instants in ms since 1970; without any, those without a datetime are among them. */
export interface ExportedSpan {
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface StoredCall {
  readonly id: bigint;
  readonly record: MetadataRecord;
  readonly sessionId: string | null;
  readonly masterId: string | null;
  /** When its source last changed it, in ms since 1970, where the source says so. */
  readonly revisedMs: number | null;
  /** What its source tells it apart by from others of its call_id, where the source has declared that. */
  readonly identity: CallItem["identity"];
  readonly recordings: readonly StoredRecording[];
  /** Whether the chat of its call_id goes with this record: the newest of those that are read. */
  readonly hasChat: boolean;
  /** Length of what is stored, for progress. */
  readonly bytes: number;
}

/** A recording's file; what names it first says what it is called. */
export interface StoredFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly type: string;
  readonly location: string | undefined;
  readonly filename: string;
  readonly callId: string | null;
}

const LEAST_ID = -(2n ** 63n);
const GREATEST_ID = 2n ** 63n - 1n;

const CALLS = "call.id >= :first AND call.id < :until";

// Chats of the calls that are read; those of no call by their own time.
const CHATS = `EXISTS (SELECT 1 FROM call WHERE call.call_id = chat.call_id AND ${CALLS})`;
const LONE_CHATS = `(instant_ms >= :fromMs AND instant_ms < :untilMs OR :isWhole)
  AND NOT EXISTS (SELECT 1 FROM call WHERE call.call_id = chat.call_id)`;

/** Nothing is held: whoever reads more than one of these at one state begins a transaction. */
export function createExportRows(database: DatabaseSync, { fromMs, untilMs }: ExportedSpan) {
  const isWhole = fromMs === undefined && untilMs === undefined;
  const first = isWhole ? LEAST_ID : fromMs === undefined ? FIRST_DATED_ID : toFirstId(fromMs);
  const until = untilMs === undefined ? GREATEST_ID : toFirstId(untilMs);
  const span = { first, until };
  const ofTime = {
    fromMs: fromMs ?? Number.MIN_SAFE_INTEGER,
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
    isWhole: isWhole ? 1 : 0,
  };
  const records = <T>(sql: string, values: Record<string, SQLInputValue> = {}): Iterable<T> =>
    readRecords<T>(database, sql, values);

  return {
    /** Length of the records of calls and chats, for progress. */
    measure: (): number =>
      sum(database, `SELECT sum(length(record)) AS n FROM call WHERE ${CALLS}`, span) +
      sum(database, `SELECT sum(length(record)) AS n FROM chat WHERE ${CHATS}`, span),
    users: () => records<UserRecord>("SELECT record FROM user ORDER BY id"),
    flags: () => readFlags(database),
    /** Newest first, which is also the order in which equal instants were imported (D09). */
    calls: () => readCalls(database, span),
    chats: () =>
      records<ChatMessageRecord>(`SELECT record FROM chat WHERE ${CHATS} ORDER BY id`, span),
    chatOf: (callId: string) =>
      records<ChatMessageRecord>("SELECT record FROM chat WHERE call_id = :callId ORDER BY id", {
        callId,
      }),
    /** Messages of no call. */
    loneChats: () =>
      records<ChatMessageRecord>(`SELECT record FROM chat WHERE ${LONE_CHATS} ORDER BY id`, ofTime),
    /** Listed at one moment, in a temporary table. */
    listFiles: () => listFiles(database, span),
    fileOf: createFileReader(database),
  };
}

function* readRecords<T>(
  database: DatabaseSync,
  sql: string,
  values: Record<string, SQLInputValue>,
): Generator<T> {
  for (const row of database.prepare(sql).iterate(values)) yield parseStored(row["record"]);
}

function* readFlags(
  database: DatabaseSync,
): Generator<{ readonly record: FlagRecord; readonly userId: number | null }> {
  for (const row of database.prepare("SELECT record, user_id FROM flag ORDER BY id").iterate())
    yield {
      record: parseStored(row["record"]),
      userId: row["user_id"] === null ? null : Number(row["user_id"]),
    };
}

type CallColumns = RecordRow & {
  readonly id: bigint;
  readonly session_id: string | null;
  readonly master_id: string | null;
  readonly revised_ms: bigint | null;
  readonly identity: Uint8Array | null;
};

function* readCalls(
  database: DatabaseSync,
  span: { readonly first: bigint; readonly until: bigint },
): Generator<StoredCall> {
  const { toRecord } = createRecordForm(database);
  const calls = prepareBig<CallColumns>(
    database,
    `SELECT id, session_id, master_id, identity, ${RECORD_COLUMNS},
       (SELECT revised_ms FROM call_revision WHERE call_revision.call_id = call.call_id) AS revised_ms
     FROM call WHERE ${CALLS} ORDER BY id DESC`,
  );
  const readRecordings = createRecordingReader(database);
  const isOlder = database.prepare(
    `SELECT 1 FROM call WHERE call_id = :callId AND ${CALLS} AND id > :id`,
  );
  for (const row of calls.iterate({ ...span })) {
    const { id, call_id: callId, session_id: sessionId, master_id: masterId } = row;
    yield {
      id,
      record: toRecord(row),
      sessionId,
      masterId,
      revisedMs: row.revised_ms === null ? null : Number(row.revised_ms),
      identity: toDeclaredIdentity(row.identity),
      recordings: readRecordings(id),
      hasChat: callId !== null && isOlder.get({ ...span, callId, id }) === undefined,
      bytes: row.record.length,
    };
  }
}

const FILE_COLUMNS = "sha256, bytes, path";

function listFiles(
  database: DatabaseSync,
  span: { readonly first: bigint; readonly until: bigint },
): { readonly bytes: number; readonly files: Iterable<StoredFile> } {
  database.exec(`DROP TABLE IF EXISTS temp.exported_file;
    CREATE TEMP TABLE exported_file (sha256 TEXT PRIMARY KEY, bytes, path, type, filename, call_id) WITHOUT ROWID`);
  database
    .prepare(
      `INSERT INTO exported_file SELECT ${FILE_COLUMNS}, type, min(filename), call_id
       FROM recording JOIN call ON call.id = recording.call JOIN media USING (sha256)
       WHERE ${CALLS} GROUP BY sha256`,
    )
    .run({ ...span });
  const bytes = sum(database, "SELECT sum(bytes) AS n FROM exported_file", {});
  const all = prepareRows<FileRow>(database, "SELECT * FROM exported_file ORDER BY sha256");
  const files = {
    *[Symbol.iterator]() {
      for (const row of all.iterate()) yield toFile(row);
    },
  };
  return { bytes, files };
}

/** The file of a recording, also of one that was imported since the files were listed. */
function createFileReader(database: DatabaseSync) {
  const one = prepareRows<FileRow>(
    database,
    `SELECT ${FILE_COLUMNS}, :type AS type, :filename AS filename, :callId AS call_id FROM media WHERE sha256 = :sha256`,
  );
  return ({ sha256, filename, type }: StoredRecording, callId: string | null): StoredFile =>
    toFile(one.get({ sha256, filename, type, callId }) as FileRow); // every recording refers to one
}

interface FileRow {
  readonly sha256: string;
  readonly bytes: number;
  readonly type: string;
  readonly path: string | null;
  readonly filename: string;
  readonly call_id: string | null;
}

function toFile({ path, call_id: callId, ...file }: FileRow): StoredFile {
  return { ...file, callId, location: path ?? undefined };
}

function sum(database: DatabaseSync, sql: string, values: Record<string, SQLInputValue>): number {
  return Number(database.prepare(sql).get(values)?.["n"] ?? 0);
}
