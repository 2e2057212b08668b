// Converts between metadata records and rows of `call`: see values/record-form.ts. This is the only place that reads a record, and so the
// one that compares it with its stored digest: SQLite keeps no checksums.
import type { DatabaseSync } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import type { MetadataRecord } from "../port/index.ts";
import { toStoredHex } from "../values/call-digest.ts";
import { nameDamagedCall, notWritten, readWhole } from "../values/damaged-records.ts";
import { checkFieldNames, type Field } from "../values/stored-settings.ts";
import { createNamer, damaged, parseStored, toValues } from "../values/record-form.ts";
import { toInsert } from "./schema/digested.ts";
import { createRecordingReader, type StoredFile } from "./recording-rows.ts";

const FIELDS: readonly Field[] = fieldsOf("MetadataRecord");

/** These fields have their own columns. */
const COLUMNS: ReadonlySet<Field> = new Set(["call_id", "ref_id"]);

/**
 * Everything that the digest of a call covers, except its recordings. Reading bytes creates objects, which cost as much as all other
 * columns.
 */
export const CALL_COLUMNS = `id, call_id, ref_id, session_id, master_id,
  iif(call_id IS NULL, identity, NULL) AS number, lower(hex(digest)) AS digest, record`;

/** A row with the `CALL_COLUMNS`; integers are bigints. */
export interface CallRow {
  readonly id: bigint;
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly session_id: string | null;
  readonly master_id: string | null;
  /** The identity of a call without a call_id: see `Marks`. */
  readonly number: Uint8Array | null;
  readonly digest: string;
  readonly record: string;
}

/** Throws `StoreFault` for a damaged row. `files`: its recordings, if they are already read. */
export type CheckCall = (row: CallRow, files?: readonly StoredFile[]) => void;

export function createCallCheck(database: DatabaseSync): CheckCall {
  const readFiles = createRecordingReader(database);
  return (row, files = readFiles(row.id)) => {
    if (row.digest !== readWhole(() => toStoredHex(row, files)))
      throw notWritten(nameDamagedCall(row.call_id, row.ref_id));
  };
}

/** Rows cross from a thread faster as one text than as objects. */
export function toText(rows: readonly CallRow[]): string {
  const callIds = JSON.stringify(rows.map(({ call_id }) => call_id));
  const refIds = JSON.stringify(rows.map(({ ref_id }) => ref_id));
  return `[${callIds},${refIds},[${rows.map(({ record }) => record).join(",")}]]`;
}

/** Converts between records and their stored form: a JSON array of the values, in the order of the archive's list of fields. */
export interface RecordForm {
  readonly toStored: (record: MetadataRecord) => string;
  /** Throws `StoreFault` as `CheckCall` does. */
  readonly toRecord: (...given: Parameters<CheckCall>) => MetadataRecord;
  /** The records from the text that `toText` made of checked rows. Throws `StoreFault`. */
  readonly toRecords: (text: string) => MetadataRecord[];
}

/** The archive's form, after `settleFields` has updated its list of fields. */
export function createRecordForm(database: DatabaseSync): RecordForm {
  const fields = listFields(database);
  const toNamed = createNamer(fields);
  const check = createCallCheck(database);
  return {
    toStored: (record) => JSON.stringify(toValues(record, fields)),
    toRecord: (row, files) => {
      check(row, files);
      const { call_id, ref_id, record } = row;
      return toNamed(parseStored(record), { call_id, ref_id });
    },
    toRecords: (text) => {
      const [callIds, refIds, records]: Columns = parseStored(text);
      if (records.length !== callIds.length) throw damaged();
      return records.map((stored, row) =>
        toNamed(stored, { call_id: callIds[row] ?? null, ref_id: refIds[row] ?? null }),
      );
    },
  };
}

/** Arrays with the same number of rows. */
type Columns = readonly [
  callIds: readonly (string | null)[],
  refIds: readonly (string | null)[],
  records: readonly unknown[],
];

/** Appends new fields of the contract: the known ones keep their places. */
export function settleFields(database: DatabaseSync): void {
  const known = new Set<string>(listFields(database));
  const insert = database.prepare(toInsert("record_field", "ON CONFLICT DO NOTHING"));
  const missing = FIELDS.filter((field) => !COLUMNS.has(field) && !known.has(field));
  if (missing.length === 0) return;
  const last = database.prepare("SELECT ifnull(max(place), 0) AS place FROM record_field").get();
  for (const [index, name] of missing.entries())
    insert.run({ place: Number(last?.["place"]) + 1 + index, name });
}

/** In the order of the values of a stored record. Throws `StoreFault` if one is damaged. */
export function listFields(database: DatabaseSync): readonly Field[] {
  const names = database.prepare("SELECT name FROM record_field ORDER BY place").all();
  return checkFieldNames(
    names.map(({ name }) => String(name)),
    FIELDS.filter((field) => !COLUMNS.has(field)),
  );
}
