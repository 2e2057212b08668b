// Converts a metadata record to and from its stored form: a JSON array of its values, in the order of the archive's list of fields.
// Absent and null are the same, and records that are read have the contract's order (D27).
import { fieldsOf } from "@call-media/api";
import { toMetadataRecord } from "@call-media/api/metadata-record";
import { type MetadataRecord, StoreFault } from "../port/index.ts";

type Field = keyof MetadataRecord;

const FIELDS: readonly Field[] = fieldsOf("MetadataRecord");

/** A text; an integer, in an array of its own; or a plain number, which stands for that number of consecutive null fields. */
type Value = string | readonly [number] | number;

export function toValues(record: MetadataRecord, fields: readonly Field[]): Value[] {
  const values: Value[] = [];
  let nulls = 0;
  for (const field of fields) {
    // The list of fields of an archive used by a newer program may have fields that this program's records lack.
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

/** The fields that a row may have in separate columns; otherwise null. */
type Ids = Pick<MetadataRecord, "call_id" | "ref_id">;

/** Makes a function that assigns stored values to the names of their fields; it throws `StoreFault`. */
export function createNamer(
  fields: readonly Field[],
): (stored: unknown, ids: Ids) => MetadataRecord {
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
    // Written by `toValues`.
    if (typeof value === "number") {
      field += value;
      continue;
    }
    const place = places[field];
    if (place !== undefined) values[place] = typeof value === "string" ? value : value[0];
    field += 1;
  }
}

/** Fields that a newer program added to the archive come last, if they have a value. */
function toFilled(newer: readonly Field[], values: readonly MetadataRecord[Field][]) {
  const entries = newer.map((field, index) => [field, values[FIELDS.length + index]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

export const damaged = (cause?: unknown) =>
  new StoreFault("damaged", "a record of the archive is damaged", { cause });

/** Parses JSON written by this program. Throws `StoreFault` for text that it cannot have written. */
export function parseStored(text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw damaged(error);
  }
}
