// How a metadata record is laid down and read back: a JSON array of its values, in the order of the archive's list of fields.
// Absent and null are one, and what is read keeps the contract's order (D27).
import { fieldsOf } from "@call-media/api";
import { toMetadataRecord } from "@call-media/api/metadata-record";
import { type MetadataRecord, StoreFault } from "../port/index.ts";

type Field = keyof MetadataRecord;

const FIELDS: readonly Field[] = fieldsOf("MetadataRecord");

/** A text; an integer, in an array of its own; a plain number for as many fields in a row that are null. */
type Value = string | readonly [number] | number;

export function toValues(record: MetadataRecord, fields: readonly Field[]): Value[] {
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

/** What a row may have in columns of its own; null else. */
type Ids = Pick<MetadataRecord, "call_id" | "ref_id">;

/** Makes a function that gives stored values the names of their fields; it throws `StoreFault`. */
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

export const damaged = (cause?: unknown) =>
  new StoreFault("damaged", "a record of the archive is damaged", { cause });

/** Reads what this program wrote as JSON. Throws `StoreFault` for what it cannot have written. */
export function parseStored(text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw damaged(error);
  }
}
