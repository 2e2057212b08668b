// The row of a call, its recordings and its place in the search index: always written and removed together.
import type { DatabaseSync } from "node:sqlite";
import { createCallChanges } from "./call-changes.ts";
import { createSpanWriter } from "./call-ids.ts";
import type { CallItem } from "../../port/index.ts";
import type { Marks } from "../../values/call-digest.ts";
import { createRecordingWriter } from "./recording-writer.ts";

/** A call in the form in which it is stored. */
export interface NewRow {
  readonly item: CallItem;
  readonly marks: Marks;
  /** The record in the form in which it is stored. */
  readonly stored: string;
}

export function createCallRowWriter(database: DatabaseSync) {
  const spans = createSpanWriter(database);
  const recordings = createRecordingWriter(database);
  const changes = createCallChanges(database);
  const insert = database.prepare(
    `INSERT INTO call (id, call_id, ref_id, session_id, master_id, identity, digest, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const remove = database.prepare("DELETE FROM call WHERE id = ?");

  return {
    /** False when the archive has a call with that id. */
    add: (id: bigint, { item, marks, stored }: NewRow): boolean => {
      const { record, sessionId = null, masterId = null } = item;
      const { callId, identity, digest } = marks;
      const names = [callId, record.ref_id, sessionId, masterId];
      const { changes: added } = insert.run(id, ...names, identity, digest, stored);
      if (Number(added) === 0) return false;
      spans.add(id);
      recordings.add(id, item.recordings);
      changes.add(id, record);
      return true;
    },
    remove: (id: bigint): void => {
      changes.remove(id);
      remove.run(id);
    },
    /** For an unchanged call, whose files may have other places now. */
    keepRecordings: ({ item, marks }: NewRow): void => recordings.keep(item.recordings, marks),
    changes: {
      ...changes,
      undo: (mark: number): void => {
        spans.forget();
        changes.undo(mark);
      },
    },
  };
}
