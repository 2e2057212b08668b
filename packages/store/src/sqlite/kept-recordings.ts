// The recordings of a call that comes again from a source that says nothing of them: those the archive has of it.
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { toIdentity } from "./call-digest.ts";
import { type CallItem, createRecordForm, RECORD_COLUMNS, type RecordRow } from "./call-row.ts";
import { RECORDING_COLUMNS, toRecording } from "./recording-rows.ts";

/** Makes a function that gives the item with these recordings, and with the names that its record then has. */
export function createKeptRecordings(database: DatabaseSync): (item: CallItem) => CallItem {
  const form = createRecordForm(database);
  const find = database.prepare(
    `SELECT id, ${RECORD_COLUMNS} FROM call WHERE call_id = ? AND identity = ? ORDER BY id DESC LIMIT 1`,
  );
  find.setReadBigInts(true);
  const list = database.prepare(
    `SELECT ${RECORDING_COLUMNS} FROM recording JOIN media USING (sha256) WHERE call = ? ORDER BY part`,
  );
  list.setReturnArrays(true);
  return (item) => {
    const found = find.get(item.record.call_id, toIdentity(item.record));
    if (found === undefined) return item;
    const { recordings } = form.toRecord(found as unknown as RecordRow); // the columns that it names
    const rows = list.all(found["id"] ?? null) as unknown as SQLOutputValue[][]; // as it was told
    const kept = rows.map(toRecording);
    return { ...item, record: { ...item.record, recordings }, recordings: kept };
  };
}
