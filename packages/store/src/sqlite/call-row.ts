// How a metadata record is laid in a row of `call` and read back: see values/record-form.ts.
import type { DatabaseSync } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import type { MetadataRecord } from "../port/index.ts";
import { createNamer, damaged, parseStored, toValues } from "../values/record-form.ts";

type Field = keyof MetadataRecord;

const FIELDS: readonly Field[] = fieldsOf("MetadataRecord");

/** They have columns of their own. */
const COLUMNS: ReadonlySet<Field> = new Set(["call_id", "ref_id"]);

export const RECORD_COLUMNS = "call_id, ref_id, record";

/**
 * SQL: all rows as one text, in their order, as which they cross from a thread more quickly than as objects. Three lists, of
 * call ids, reference ids and records: to put a text together for each row takes a sixth longer.
 */
export const RECORDS_AS_TEXT =
  "concat('[', json_group_array(call_id), ',', json_group_array(ref_id), ',[', group_concat(record), ']]')";

/** A placeholder for no rows. */
export const NO_RECORDS = "[[],[],[]]";

export interface RecordRow {
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly record: string;
}

export const CALL_COLUMNS = `id, ${RECORD_COLUMNS}`;

export interface CallRow extends RecordRow {
  readonly id: bigint;
}

/** Between records and what is stored of them: a JSON array of the values, in the order of the archive's list of fields. */
export interface RecordForm {
  readonly toStored: (record: MetadataRecord) => string;
  /** Throws `StoreFault`. */
  readonly toRecord: (row: RecordRow) => MetadataRecord;
  /** The records of what `RECORDS_AS_TEXT` has made. Throws `StoreFault`. */
  readonly toRecords: (text: string) => MetadataRecord[];
}

/** The form that the archive has, whose list of fields `settleFields` has brought up to date. */
export function createRecordForm(database: DatabaseSync): RecordForm {
  const fields = listFields(database);
  const toNamed = createNamer(fields);
  return {
    toStored: (record) => JSON.stringify(toValues(record, fields)),
    toRecord: ({ call_id, ref_id, record }) => toNamed(parseStored(record), { call_id, ref_id }),
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

/** Adds the fields that the contract has got since: those before them keep their places. */
export function settleFields(database: DatabaseSync): void {
  const known = new Set<string>(listFields(database));
  const insert = database.prepare("INSERT OR IGNORE INTO record_field (name) VALUES (?)");
  for (const field of FIELDS) if (!COLUMNS.has(field) && !known.has(field)) insert.run(field);
}

function listFields(database: DatabaseSync): readonly Field[] {
  const names = database.prepare("SELECT name FROM record_field ORDER BY place").all();
  return names.map(({ name }) => name as Field); // settleFields has written them
}
