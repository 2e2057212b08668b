// The record that the archive has of a call that comes again: one alike, or the same leg of an earlier state.
import type { DatabaseSync } from "node:sqlite";
import type { CallItem, MetadataRecord, Recording } from "../../call-store.ts";
import { CALL_COLUMNS, type CallRow, type RecordForm } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";
import { prepareRecordings, RECORDING_COLUMNS } from "../recording-rows.ts";
import { toIdentity } from "../../values/call-digest.ts";

/** A record and its recordings. It is read only where it is asked for: one that is damaged may well be replaced. */
export interface Known {
  readonly row: CallRow;
  readonly recordings: readonly Recording[];
}

/** Those of an earlier state of the call that have gone for this one. */
export type Recall = (item: CallItem) => readonly Known[];

const OF_CALL = `SELECT ${RECORDING_COLUMNS} FROM recording JOIN media USING (sha256) WHERE call = :id ORDER BY part`;

interface SameSources {
  readonly database: DatabaseSync;
  readonly form: RecordForm;
  readonly recall: Recall;
  readonly toKnown: (row: CallRow) => Known;
}

/** With a record that says when it was changed: of any state of the call, else of its identity. */
export function createSameFinder({ database, form, recall, toKnown }: SameSources) {
  const select = `SELECT ${CALL_COLUMNS} FROM call WHERE call_id = ?`;
  const same = prepareBig<CallRow>(database, `${select} AND identity = ?`);
  const all = prepareBig<CallRow>(database, `${select} ORDER BY id DESC`);
  return (item: CallItem): Known | undefined => {
    const { record, revisedMs } = item;
    if (revisedMs !== undefined)
      return findLeg(record, [...all.all(record.call_id).map(toKnown), ...recall(item)], form);
    const row = same.get(record.call_id, toIdentity(item));
    return row && toKnown(row);
  };
}

export function createKnownReader(database: DatabaseSync): (row: CallRow) => Known {
  const list = prepareRecordings(database, OF_CALL);
  return (row) => ({ row, recordings: list({ id: row.id }) });
}

// A later state may have another reference.
function findLeg(wanted: MetadataRecord, known: readonly Known[], form: RecordForm) {
  const find = (fields: readonly (keyof MetadataRecord)[]) =>
    known.find(({ row }) => isAlike(form.toRecord(row), wanted, fields));
  return find(["datetime", "agent", "ref_id"]) ?? find(["datetime", "agent"]);
}

function isAlike(
  record: MetadataRecord,
  wanted: MetadataRecord,
  fields: readonly (keyof MetadataRecord)[],
): boolean {
  return fields.every((field) => record[field] === wanted[field]);
}
