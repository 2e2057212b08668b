// How a metadata record is laid in a row of `call` and read back: absent and null are one, the fields keep the contract's
// order (D27).
import type { DatabaseSync } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import { toMetadataRecord } from "@call-media/api/metadata-record";
import { type MetadataRecord, StoreFault } from "../port/index.ts";

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

/** What that is of no rows. */
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

/** Of as many rows each. */
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

/** A text; an integer, in an array of its own; a plain number for as many fields in a row that are null. */
type Value = string | readonly [number] | number;

function toValues(record: MetadataRecord, fields: readonly Field[]): Value[] {
  const values: Value[] = [];
  let nulls = 0;
  for (const field of fields) {
    // An archive that a newer program has used may list fields that this one's records lack.
    const value = record[field] ?? null;
    if (value === null) {
      nulls += 1;
      continue;
    }
    if (nulls > 0) values.push(nulls);
    nulls = 0;
    values.push(typeof value === "number" ? [value] : value);
  }
  return values;
}

type Ids = Pick<MetadataRecord, "call_id" | "ref_id">;

/** Makes a function that gives stored values the names of their fields; it throws `StoreFault`. */
function createNamer(fields: readonly Field[]): (stored: unknown, ids: Ids) => MetadataRecord {
  const newer = fields.filter((field) => !FIELDS.includes(field));
  const named = [...FIELDS, ...newer];
  const places = fields.map((field) => named.indexOf(field));
  const [callId, refId] = [named.indexOf("call_id"), named.indexOf("ref_id")];
  const nulls = named.map(() => null);
  return (stored, { call_id, ref_id }) => {
    const values: MetadataRecord[Field][] = [...nulls];
    values[callId] = call_id;
    values[refId] = ref_id;
    putIn(values, stored, places);
    const record = toMetadataRecord(values);
    return newer.length === 0 ? record : { ...record, ...toFilled(newer, values) };
  };
}

function putIn(values: MetadataRecord[Field][], stored: unknown, places: readonly number[]): void {
  if (!Array.isArray(stored)) throw damaged();
  let field = 0;
  for (const value of stored as readonly Value[]) {
    // toValues has written them
    if (typeof value === "number") {
      field += value;
      continue;
    }
    const place = places[field];
    if (place !== undefined) values[place] = typeof value === "string" ? value : value[0];
    field += 1;
  }
}

/** Fields that a newer program has put into the archive come last, where they have a value. */
function toFilled(newer: readonly Field[], values: readonly MetadataRecord[Field][]) {
  const entries = newer.map((field, index) => [field, values[FIELDS.length + index]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

const damaged = (cause?: unknown) =>
  new StoreFault("damaged", "a record of the archive is damaged", { cause });

/** Reads what this program wrote as JSON. Throws `StoreFault` for what it cannot have written. */
export function parseStored(text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw damaged(error);
  }
}
