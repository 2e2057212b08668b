// Writing calls: the row, its recordings and its place in the search index, always together.
import type { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "../call-store.ts";
import { parseDatetime } from "../values/instant.ts";
import { createCallChanges } from "./call-changes.ts";
import { toDigest, toIdentity } from "./call-digest.ts";
import { createIdSource, createSpanWriter } from "./call-ids.ts";
import { createCallRevisions } from "./call-revisions.ts";
import { type CallItem, type CallRow, createRecordForm } from "./call-row.ts";
import { createKeptRecordings } from "./kept-recordings.ts";
import { createKnownCalls, type Marks } from "./known-calls.ts";
import { toInstantMs, toLastId } from "./order-key.ts";
import { createRecordingWriter } from "./recording-writer.ts";
import { createRestrictedWriter } from "./restricted-values.ts";
import { RowRejected } from "./row-rejected.ts";

export function createCallWriter(database: DatabaseSync, timeZone: string) {
  const known = createKnownCalls(database);
  const revisions = createCallRevisions(database);
  const ids = createIdSource(database);
  const spans = createSpanWriter(database);
  const recordings = createRecordingWriter(database);
  const withKept = createKeptRecordings(database);
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
    spans.add(id);
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
      const item = withFileNames(given.keepsRecordings === true ? withKept(given) : given);
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
        spans.forget();
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
