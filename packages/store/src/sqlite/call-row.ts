// How a metadata record is laid in a row of `call` and read back: absent and null are one, the fields keep the contract's order (D27).
import { hash } from "node:crypto";
import { fieldsOf } from "@call-media/api";
import { type ArchiveItem, type MetadataRecord, RecordDamaged } from "../call-store.ts";

const FIELDS = fieldsOf("MetadataRecord");

export const RECORD_COLUMNS = "call_id, ref_id, record";

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

export function toRecord(row: RecordRow): MetadataRecord {
  return { ...toFields(row.record), call_id: row.call_id, ref_id: row.ref_id };
}

/** The fields of a stored record, without call_id and ref_id. */
export function toFields(stored: unknown): MetadataRecord {
  return { ...EMPTY, ...parseStored(stored) };
}

/** Reads what this program wrote as JSON. Throws `RecordDamaged` for what it cannot have written. */
export function parseStored(text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new RecordDamaged("a record of the archive is damaged", { cause: error });
  }
}

export function toStored(record: MetadataRecord): string {
  const stored: Record<string, string | number> = {};
  for (const field of FIELDS) {
    const value = record[field];
    if (value !== null && field !== "call_id" && field !== "ref_id") stored[field] = value;
  }
  return JSON.stringify(stored);
}

/** What tells a changed call from an unchanged one. */
export function toDigest(call: Extract<ArchiveItem, { kind: "call" }>, stored: string): Uint8Array {
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
