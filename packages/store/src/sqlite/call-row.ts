// How a metadata record is laid in a row of `call` and read back: absent and null are one, the fields keep the contract's
// order (D27).
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import { type ArchiveItem, type MetadataRecord, RecordDamaged } from "../call-store.ts";

export type CallItem = Extract<ArchiveItem, { kind: "call" }>;

const FIELDS = fieldsOf("MetadataRecord");

/** They have columns of their own. */
const COLUMNS: ReadonlySet<keyof MetadataRecord> = new Set(["call_id", "ref_id"]);

export const RECORD_COLUMNS = "call_id, ref_id, record";

/** SQL: all rows as one text, in their order, as which they cross from a thread more quickly than as objects. */
export const RECORDS_AS_TEXT =
  "'[' || ifnull(group_concat('[' || json_quote(call_id) || ',' || json_quote(ref_id) || ',' || record || ']'), '') || ']'";

export interface RecordRow {
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly record: string;
}

export const CALL_COLUMNS = `id, ${RECORD_COLUMNS}`;

export interface CallRow extends RecordRow {
  readonly id: bigint;
}

const EMPTY = Object.fromEntries(FIELDS.map((field) => [field, null])) as MetadataRecord; // every field may be null

/** Between records and what is stored of them: a JSON array of the values, in the order of the archive's list of fields. */
export interface RecordForm {
  readonly toStored: (record: MetadataRecord) => string;
  /** Throws `RecordDamaged`. */
  readonly toRecord: (row: RecordRow) => MetadataRecord;
  /** The records of what `RECORDS_AS_TEXT` has made. Throws `RecordDamaged`. */
  readonly toRecords: (text: string) => MetadataRecord[];
}

/** The form that the archive has, whose list of fields `settleFields` has brought up to date. */
export function createRecordForm(database: DatabaseSync): RecordForm {
  const fields = listFields(database);
  return {
    toStored: (record) => JSON.stringify(toValues(record, fields)),
    toRecord: ({ call_id, ref_id, record }) =>
      toNamed([call_id, ref_id, parseStored(record)], fields),
    toRecords: (text) => {
      const rows: Named[] = parseStored(text);
      return rows.map((row) => toNamed(row, fields));
    },
  };
}

type Named = readonly [callId: string | null, refId: string | null, stored: unknown];

function toNamed(
  [call_id, ref_id, stored]: Named,
  fields: readonly (keyof MetadataRecord)[],
): MetadataRecord {
  const record = toFields(stored, fields);
  record.call_id = call_id;
  record.ref_id = ref_id;
  return record;
}

/** Adds the fields that the contract has got since: those before them keep their places. */
export function settleFields(database: DatabaseSync): void {
  const known = new Set<string>(listFields(database));
  const insert = database.prepare("INSERT OR IGNORE INTO record_field (name) VALUES (?)");
  for (const field of FIELDS) if (!COLUMNS.has(field) && !known.has(field)) insert.run(field);
}

function listFields(database: DatabaseSync): readonly (keyof MetadataRecord)[] {
  const names = database.prepare("SELECT name FROM record_field ORDER BY place").all();
  return names.map(({ name }) => name as keyof MetadataRecord); // settleFields has written them
}

/** A text; an integer, in an array of its own; a plain number for as many fields in a row that are null. */
type Value = string | readonly [number] | number;

function toValues(record: MetadataRecord, fields: readonly (keyof MetadataRecord)[]): Value[] {
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

function toFields(stored: unknown, fields: readonly (keyof MetadataRecord)[]): MetadataRecord {
  if (!Array.isArray(stored)) throw damaged();
  const record: Record<string, string | number | null> = { ...EMPTY };
  let place = 0;
  for (const value of stored as readonly Value[]) {
    // toValues has written them
    if (typeof value === "number") {
      place += value;
      continue;
    }
    const field = fields[place];
    if (field !== undefined) record[field] = typeof value === "string" ? value : value[0];
    place += 1;
  }
  return record as MetadataRecord; // each field has the value it was stored with
}

const damaged = (cause?: unknown) =>
  new RecordDamaged("a record of the archive is damaged", { cause });

/** Reads what this program wrote as JSON. Throws `RecordDamaged` for what it cannot have written. */
export function parseStored(text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw damaged(error);
  }
}

/** What tells a changed call from an unchanged one. */
export function toDigest(call: CallItem, stored: string): Uint8Array {
  const { record, sessionId, masterId, recordings } = call;
  const files = recordings.map(({ filename, startMs, media }) => [filename, startMs, media.sha256]);
  return toHash([record.call_id, record.ref_id, sessionId, masterId, files], stored);
}

/** The same digest, taken from what is in the archive. */
export function toStoredDigest(
  row: RecordRow & { readonly session_id: string | null; readonly master_id: string | null },
  recordings: readonly {
    readonly filename: string;
    readonly start_ms: number | null;
    readonly sha256: string;
  }[],
): Uint8Array {
  const files = recordings.map(({ filename, start_ms, sha256 }) => [filename, start_ms, sha256]);
  return toHash([row.call_id, row.ref_id, row.session_id, row.master_id, files], row.record);
}

/** What calls with one call_id share when they are the same call: see "Importing twice". */
export function toIdentity({ ref_id, datetime, agent }: MetadataRecord): Uint8Array {
  return toHash([ref_id, datetime, agent]);
}

function toHash(values: readonly unknown[], text = ""): Uint8Array {
  return hash("sha256", JSON.stringify(values) + text, "buffer").subarray(0, 16);
}
