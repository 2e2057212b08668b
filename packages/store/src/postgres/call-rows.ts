// The rows of calls and of their recordings, as they are read.
import type { CallItem, MetadataRecord, Recording } from "../port/index.ts";
import { createNamer, parseStored, toValues } from "../values/record-form.ts";
import { type Ask, toList } from "./connection.ts";
import { byMonth, toSuffix } from "./months.ts";
import type { Settings } from "./settings.ts";

export interface CallRow {
  readonly id: string;
  /** Null without a call_id. */
  readonly identity: Uint8Array | null;
  readonly digest: string;
  /** JSON: the session and the master id; null without either. */
  readonly linked: string | null;
  readonly record: string;
}

/** The further names of a call. */
export function toLinked(stored: string | null): Pick<CallItem, "sessionId" | "masterId"> {
  const [sessionId, masterId]: readonly (string | null)[] =
    stored === null ? [] : parseStored(stored);
  return { sessionId: sessionId ?? undefined, masterId: masterId ?? undefined };
}

/** Between records and what is stored of them. */
export interface RecordForm {
  readonly toStored: (record: MetadataRecord) => string;
  /** Throws `StoreFault`. */
  readonly toRecord: (stored: string) => MetadataRecord;
}

export function createRecordForm({ recordFields }: Pick<Settings, "recordFields">): RecordForm {
  const fields: readonly (keyof MetadataRecord)[] = JSON.parse(recordFields);
  const toNamed = createNamer(fields);
  return {
    toStored: (record) => JSON.stringify(toValues(record, fields)),
    toRecord: (stored) => toNamed(parseStored(stored), { call_id: null, ref_id: null }),
  };
}

/** The rows of these calls, the newest first; those that are gone are left out. */
export async function readCalls(ask: Ask, ids: Iterable<bigint>): Promise<readonly CallRow[]> {
  const rows: CallRow[] = [];
  for (const [month, own] of byMonth(ids, (id) => id))
    rows.push(
      ...(await ask<CallRow>(
        `SELECT id, identity, digest, linked, record FROM call_${toSuffix(month)}
         WHERE id = ANY($1::int8[]) ORDER BY id DESC`,
        [toList(own)],
      )),
    );
  return rows;
}

interface RecordingRow {
  readonly call: string;
  readonly filename: string;
  readonly start_ms: number | null;
  readonly sha256: string;
  readonly type: string;
  readonly modified_ms: number;
  readonly bytes: string;
  readonly version: string | null;
  readonly location: string | null;
}

export type RecordingsOf = (id: string) => readonly Recording[];

/** The recordings of these calls, each as the call was given them. */
export async function readRecordings(ask: Ask, ids: Iterable<bigint>): Promise<RecordingsOf> {
  const found = new Map<string, Recording[]>();
  for (const [month, own] of byMonth(ids, (id) => id)) {
    const rows = await ask<RecordingRow>(
      `SELECT call, filename, start_ms, encode(sha256, 'hex') AS sha256, type, modified_ms, bytes, version, location
       FROM recording_${toSuffix(month)} JOIN media USING (sha256)
       WHERE call = ANY($1::int8[]) ORDER BY call, part`,
      [toList(own)],
    );
    for (const row of rows) found.set(row.call, [...(found.get(row.call) ?? []), toRecording(row)]);
  }
  return (id) => found.get(id) ?? [];
}

export function toRecording(row: Omit<RecordingRow, "call">): Recording {
  const { filename, start_ms, sha256, bytes, type, modified_ms, version, location } = row;
  return {
    filename: parseStored(filename),
    startMs: start_ms ?? undefined,
    media: {
      sha256,
      bytes: Number(bytes),
      type,
      modifiedMs: modified_ms,
      version: version ?? undefined,
      ...(location === null ? {} : { location }),
    },
  };
}
