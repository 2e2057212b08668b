// Writing calls: the row, its recordings, its terms in the search index and its day, always together.
import type { DatabaseSync } from "node:sqlite";
import type { ArchiveItem, MetadataRecord, Recording } from "../call-store.ts";
import { parseDatetime } from "../values/instant.ts";
import { CALL_COLUMNS, type CallRow, toDigest, toRecord, toStored } from "./call-row.ts";
import { FIRST_DATED_ID, FIRST_UNDATED_ID, toFirstId, toLastId } from "./order-key.ts";
import { createIndexWriter } from "./search-index.ts";

/** A row that the archive cannot take; the message names the field and the fault. */
export class RowRejected extends Error {
  override readonly name = "RowRejected";
}

export type CallItem = Extract<ArchiveItem, { kind: "call" }>;

const DAY_MS = 86_400_000;

export function createCallWriter(database: DatabaseSync, timeZone: string) {
  const known = createKnownCalls(database);
  const ids = createIdSource(database);
  const recordings = createRecordingWriter(database);
  const index = createIndexWriter(database);
  const days = createDayCounter(database);
  const insert = database.prepare(
    "INSERT INTO call (id, call_id, ref_id, session_id, master_id, digest, record) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const remove = database.prepare("DELETE FROM call WHERE id = ?");

  const add = (item: CallItem, at: { id: bigint; digest: Uint8Array; stored: string }) => {
    const { call_id, ref_id } = item.record;
    insert.run(
      at.id,
      call_id,
      ref_id,
      item.sessionId ?? null,
      item.masterId ?? null,
      at.digest,
      at.stored,
    );
    recordings(at.id, item.recordings);
    index.add(at.id, item.record);
    days.add(at.id, 1);
    known.see(at.id);
  };
  const drop = (row: CallRow) => {
    index.remove(row.id, toRecord(row));
    days.add(row.id, -1);
    remove.run(row.id);
  };

  return {
    /** True when the archive changed. Throws `RowRejected`. */
    write: (given: CallItem): boolean => {
      const item = withFileNames(given);
      const instantMs = toInstantMs(item.record, timeZone);
      const stored = toStored(item.record);
      const digest = toDigest(item, stored);
      if (known.isUnchanged(item.record, digest)) return false;
      const older = known.findOlder(item.record);
      const id =
        older !== undefined && toInstantOf(older.id) === instantMs ? older.id : ids.next(instantMs);
      if (older !== undefined) drop(older);
      add(item, { id, digest, stored });
      return true;
    },
    flush: days.flush,
    forget: days.forget,
  };
}

function withFileNames(item: CallItem): CallItem {
  if (item.recordings.length === 0) return item;
  const recordings = item.recordings.map(({ filename }) => filename).join("; ");
  return { ...item, record: { ...item.record, recordings } };
}

function toInstantMs({ datetime }: MetadataRecord, timeZone: string): number | undefined {
  if (datetime === null) return undefined;
  const parsed = parseDatetime(datetime, timeZone);
  if (typeof parsed === "string") throw new RowRejected(`datetime: ${parsed}`);
  return parsed.instantMs;
}

function toInstantOf(id: bigint): number | undefined {
  return id < FIRST_DATED_ID ? undefined : Number(id >> 20n);
}

// A call is the same as one already there when call_id, ref_id, datetime and agent are: the legs of a transfer share a
// call_id but not all four. Rows that share all four and differ elsewhere within one run are kept apart (`seen`).
// Without a call_id only a wholly equal record is the same.
function createKnownCalls(database: DatabaseSync) {
  const select = (condition: string) => {
    const statement = database.prepare(
      `SELECT ${CALL_COLUMNS}, digest FROM call WHERE ${condition} ORDER BY id DESC`,
    );
    statement.setReadBigInts(true);
    return statement;
  };
  const byCallId = select("call_id = ?");
  const byDigest = select("call_id IS NULL AND digest = ?");
  const isSeen = database.prepare("SELECT 1 FROM seen_call WHERE id = ?");
  const see = database.prepare("INSERT OR IGNORE INTO seen_call (id) VALUES (?)");
  let siblings: readonly (CallRow & { digest: Uint8Array })[] = [];

  return {
    see: (id: bigint) => void see.run(id),
    isUnchanged: (record: MetadataRecord, digest: Uint8Array): boolean => {
      const rows = record.call_id === null ? byDigest.all(digest) : byCallId.all(record.call_id);
      siblings = rows as unknown as typeof siblings; // the columns that `select` names
      const same = siblings.find((row) => Buffer.compare(row.digest, digest) === 0);
      if (same !== undefined) see.run(same.id);
      return same !== undefined;
    },
    findOlder: (record: MetadataRecord): CallRow | undefined =>
      siblings.find((row) => {
        const { ref_id, datetime, agent } = toRecord(row);
        const isSame =
          ref_id === record.ref_id && datetime === record.datetime && agent === record.agent;
        return isSame && isSeen.get(row.id) === undefined;
      }),
  };
}

function createIdSource(database: DatabaseSync) {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  const lowest = prepare("SELECT min(id) AS id FROM call WHERE id >= ? AND id <= ?");
  const highestUndated = prepare("SELECT max(id) AS id FROM call WHERE id < ?");
  const idOf = (row: Record<string, unknown> | undefined) =>
    typeof row?.["id"] === "bigint" ? row["id"] : undefined;

  return {
    next: (instantMs: number | undefined): bigint => {
      if (instantMs === undefined)
        return (idOf(highestUndated.get(FIRST_DATED_ID)) ?? FIRST_UNDATED_ID - 1n) + 1n;
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
    "INSERT OR IGNORE INTO media (sha256, bytes, type, modified_ms) VALUES (?, ?, ?, ?)",
  );
  const insert = database.prepare(
    "INSERT INTO recording (call, part, filename, start_ms, sha256) VALUES (?, ?, ?, ?, ?)",
  );
  return (call: bigint, recordings: readonly Recording[]) => {
    for (const [index, { filename, startMs, media }] of recordings.entries()) {
      putMedia.run(media.sha256, media.bytes, media.type, media.modifiedMs);
      insert.run(call, index + 1, filename, startMs ?? null, media.sha256);
    }
  };
}

// Counted in memory until the batch is written: a batch has thousands of calls and few days.
function createDayCounter(database: DatabaseSync) {
  const put = database.prepare(
    "INSERT INTO call_day (day, calls) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET calls = calls + excluded.calls",
  );
  const changes = new Map<number, number>();
  return {
    add: (id: bigint, calls: number) => {
      const instantMs = toInstantOf(id);
      if (instantMs === undefined) return;
      const day = Math.floor(instantMs / DAY_MS);
      changes.set(day, (changes.get(day) ?? 0) + calls);
    },
    flush: () => {
      for (const [day, calls] of changes) put.run(day, calls);
      changes.clear();
    },
    forget: () => changes.clear(),
  };
}
