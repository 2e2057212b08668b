// The record that the archive has of a call that comes again: one alike, or the same leg of an earlier state.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem } from "../../port/index.ts";
import { findLeg, type KnownRecord } from "../../values/kept-recordings.ts";
import { CALL_COLUMNS, type CallRow, type RecordForm } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";
import { createMediaReader } from "../recording-rows.ts";
import { toIdentity } from "../../values/call-digest.ts";

/** The records of an earlier state of the call that this one has replaced. */
export type Recall = (item: CallItem) => readonly KnownRecord[];

interface SameSources {
  readonly database: DatabaseSync;
  readonly recall: Recall;
  readonly toKnown: (row: CallRow) => KnownRecord;
}

/** With a record that says when it was changed: of any state of the call, else of its identity. */
export function createSameFinder({ database, recall, toKnown }: SameSources) {
  const select = `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ?`;
  const same = prepareBig<CallRow>(database, `${select} AND identity = ?`);
  const all = prepareBig<CallRow>(database, `${select} ORDER BY id DESC`);
  return (item: CallItem): KnownRecord | undefined => {
    const { record, revisedMs } = item;
    if (revisedMs !== undefined)
      return findLeg(record, [...all.all(record.call_id).map(toKnown), ...recall(item)]);
    const row = same.get(record.call_id, toIdentity(item));
    return row && toKnown(row);
  };
}

/** The record is read only where it is asked for: one that is damaged may well be replaced. */
export function createKnownReader(
  database: DatabaseSync,
  { toRecord }: RecordForm,
): (row: CallRow) => KnownRecord {
  const recordingsOf = createMediaReader(database);
  return (row) => ({
    get record() {
      return toRecord(row);
    },
    recordings: recordingsOf(row.id),
  });
}
