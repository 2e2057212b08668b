// Writing calls: the row, its recordings and its place in the search index, always together.
import type { DatabaseSync } from "node:sqlite";
import type { ArchiveItem, Media, MetadataRecord, Recording } from "../call-store.ts";
import { parseDatetime } from "../values/instant.ts";
import { createCallChanges } from "./call-changes.ts";
import { createCallRevisions } from "./call-revisions.ts";
import { CALL_COLUMNS, type CallRow, createRecordForm, toDigest, toIdentity } from "./call-row.ts";
import { UNKNOWN_TYPE } from "../media/media-files.ts";
import { FIRST_DATED_ID, LAST_UNDATED_ID, toFirstId, toInstantMs, toLastId } from "./order-key.ts";
import { createRestrictedWriter } from "./restricted-values.ts";

/** A row that the archive cannot take; the message names the field and the fault. */
export class RowRejected extends Error {
  override readonly name = "RowRejected";
}

/** What a call is recognised by when it comes again. */
interface Marks {
  readonly callId: string | null;
  /** Null without a call_id. */
  readonly identity: Uint8Array | null;
  readonly digest: Uint8Array;
}

export type CallItem = Extract<ArchiveItem, { kind: "call" }>;

export function createCallWriter(database: DatabaseSync, timeZone: string) {
  const known = createKnownCalls(database);
  const revisions = createCallRevisions(database);
  const ids = createIdSource(database);
  const recordings = createRecordingWriter(database);
  const changes = createCallChanges(database);
  const restricted = createRestrictedWriter(database);
  const form = createRecordForm(database);
  const insert = database.prepare(
    `INSERT INTO call (id, call_id, ref_id, session_id, master_id, identity, digest, restricted, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const remove = database.prepare("DELETE FROM call WHERE id = ?");

  /** False when the archive has a call with that id. */
  const add = (
    item: CallItem,
    { callId, identity, digest }: Marks,
    { id, stored }: { id: bigint; stored: string },
  ): boolean => {
    const { record, sessionId = null, masterId = null } = item;
    const names = [callId, record.ref_id, sessionId, masterId];
    const numbers = restricted.toNumbers(record);
    const { changes: added } = insert.run(id, ...names, identity, digest, numbers, stored);
    if (Number(added) === 0) return false;
    recordings.add(id, item.recordings);
    changes.add(id, record);
    known.see(id);
    return true;
  };
  /** Most instants have one call: asking first which ids are taken would cost a third of its time again. */
  const addFirst = (item: CallItem, marks: Marks, at: { instantMs: number; stored: string }) =>
    add(item, marks, { id: toLastId(at.instantMs), stored: at.stored });
  const findOutdated = (callId: string | null, { revisedMs }: CallItem) =>
    callId === null || revisedMs === undefined ? [] : revisions.findOutdated(callId, revisedMs);
  const keepRevision = ({ record: { call_id }, revisedMs }: CallItem) => {
    if (call_id !== null && revisedMs !== undefined) revisions.keep(call_id, revisedMs);
  };
  const drop = (row: CallRow) => {
    changes.remove(row.id);
    remove.run(row.id);
  };

  return {
    /** True when the archive changed. Throws `RowRejected`. */
    write: (given: CallItem): boolean => {
      const item = withFileNames(given);
      const instantMs = readInstantMs(item.record, timeZone);
      const stored = form.toStored(item.record);
      const callId = item.record.call_id;
      const identity = callId === null ? null : toIdentity(item.record);
      const marks = { callId, identity, digest: toDigest(item, stored) };
      const outdated = findOutdated(callId, item);
      if (outdated === "superseded") return false;
      const isState = item.revisedMs !== undefined;
      const older = outdated.length > 0 ? undefined : known.find(marks, isState);
      if (older === "unchanged") {
        recordings.keep(item.recordings);
        keepRevision(item);
        return false;
      }
      const replaced = older === undefined ? outdated : [older];
      const isFirst =
        instantMs !== undefined &&
        replaced.length === 0 &&
        addFirst(item, marks, { instantMs, stored });
      if (!isFirst) {
        const isKept = older !== undefined && toInstantMs(older.id) === instantMs;
        const id = isKept ? older.id : ids.next(instantMs);
        for (const row of replaced) drop(row);
        add(item, marks, { id, stored });
      }
      keepRevision(item);
      return true;
    },
    changes: {
      ...changes,
      undo: (mark: number) => {
        restricted.forget();
        changes.undo(mark);
      },
    },
  };
}

// What the record names beyond its files are recordings whose files the source did not have.
function withFileNames(item: CallItem): CallItem {
  if (item.recordings.length === 0) return item;
  const names = item.recordings.map(({ filename }) => filename);
  const given = item.record.recordings ?? "";
  const others = given.split("; ").filter((name) => name !== "" && !names.includes(name));
  const joined = names.join("; ");
  const isWhole = given === joined || given.startsWith(`${joined}; `);
  const recordings = isWhole ? given : [joined, ...others].join("; ");
  return { ...item, record: { ...item.record, recordings } };
}

function readInstantMs({ datetime }: MetadataRecord, timeZone: string): number | undefined {
  if (datetime === null) return undefined;
  const parsed = parseDatetime(datetime, timeZone);
  if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
  return parsed.instantMs;
}

// A call is the same as one already there when call_id, ref_id, datetime and agent are: the legs of a transfer share a
// call_id but not all four. Rows that share all four and differ elsewhere within one run are kept apart (`seen`), unless
// they are states of a call that their source dates.
// Without a call_id only a wholly equal record is the same.
function createKnownCalls(database: DatabaseSync) {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  const anonymous = prepare("SELECT id, 1 AS equal FROM call WHERE call_id IS NULL AND digest = ?");
  // Numbered parameters (?1) would need Node.js 22.20 or 24.7.
  const nearest = prepare(
    `SELECT id, digest = ? AS equal FROM call WHERE call_id = ? AND identity = ?
     ORDER BY equal DESC LIMIT 1`,
  );
  const unseen = prepare(
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ? AND identity = ?
       AND id NOT IN (SELECT id FROM seen_call)
     ORDER BY id DESC LIMIT 1`,
  );
  const any = prepare(
    `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ? AND identity = ? ORDER BY id DESC LIMIT 1`,
  );
  const see = database.prepare("INSERT OR IGNORE INTO seen_call (id) VALUES (?)");

  return {
    see: (id: bigint) => void see.run(id),
    /** "unchanged", or the call to replace, if there is one. */
    find: (
      { callId, identity, digest }: Marks,
      isState: boolean,
    ): CallRow | "unchanged" | undefined => {
      const found = callId === null ? anonymous.get(digest) : nearest.get(digest, callId, identity);
      if (found === undefined) return undefined;
      if (found["equal"] === 1n && typeof found["id"] === "bigint") {
        see.run(found["id"]);
        return "unchanged";
      }
      const row: unknown = (isState ? any : unseen).get(callId, identity);
      return row as CallRow | undefined; // the columns that CALL_COLUMNS names
    },
  };
}

function createIdSource(database: DatabaseSync) {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  const lowest = prepare("SELECT min(id) AS id FROM call WHERE id >= ? AND id <= ?");
  const lowestUndated = prepare("SELECT min(id) AS id FROM call WHERE id < ?");
  const idOf = (row: Record<string, unknown> | undefined) =>
    typeof row?.["id"] === "bigint" ? row["id"] : undefined;

  return {
    next: (instantMs: number | undefined): bigint => {
      if (instantMs === undefined)
        return (idOf(lowestUndated.get(FIRST_DATED_ID)) ?? LAST_UNDATED_ID + 1n) - 1n;
      const first = toFirstId(instantMs);
      const id = (idOf(lowest.get(first, toLastId(instantMs))) ?? toLastId(instantMs) + 1n) - 1n;
      if (id < first)
        throw new RowRejected(
          "datetime: the archive holds 1,048,576 calls of this very millisecond already",
        );
      return id;
    },
  };
}

function createRecordingWriter(database: DatabaseSync) {
  const putMedia = database.prepare(
    `INSERT INTO media (sha256, bytes, type, modified_ms, fingerprint, path) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (sha256) DO UPDATE
     SET fingerprint = ifnull(excluded.fingerprint, fingerprint), path = excluded.path,
       type = iif(excluded.type = '${UNKNOWN_TYPE}', type, excluded.type)
     WHERE fingerprint IS NOT excluded.fingerprint OR path IS NOT excluded.path OR type <> excluded.type`,
  );
  const insert = database.prepare(
    "INSERT INTO recording (call, part, filename, start_ms, sha256) VALUES (?, ?, ?, ?, ?)",
  );
  const keep = ({ sha256, bytes, type, modifiedMs, fingerprint, path }: Media) =>
    void putMedia.run(sha256, bytes, type, modifiedMs, fingerprint ?? null, path ?? null);
  return {
    add: (call: bigint, recordings: readonly Recording[]) => {
      for (const [index, { filename, startMs, media }] of recordings.entries()) {
        keep(media);
        insert.run(call, index + 1, filename, startMs ?? null, media.sha256);
      }
    },
    /** Of recordings the archive has: their files were written again. */
    keep: (recordings: readonly Recording[]) => {
      for (const { media } of recordings) keep(media);
    },
  };
}
