// Reads the rows of calls and of their recordings. This is the only place that reads a record, and so the one that compares it
// with its stored digest.
import { fieldsOf } from "@call-media/api";
import type { CallItem, MetadataRecord, Recording } from "../port/index.ts";
import { toCallDigest, toRecordingHex } from "../values/call-digest.ts";
import { nameDamagedCall, notWritten, readWhole } from "../values/damaged-records.ts";
import { toDeclaredIdentity } from "../values/identity.ts";
import { isEqual } from "../values/row-digest.ts";
import { checkFieldNames } from "../values/stored-settings.ts";
import { toKnownSound } from "../values/stored-sound.ts";
import { createNamer, parseStored, toValues } from "../values/record-form.ts";
import type { Ask } from "./connection.ts";
import { toList } from "./values.ts";
import { isWhole } from "./digested.ts";
import { byMonth, toSuffix } from "./months.ts";
import { createMessageForm, type ToMessage } from "./chats.ts";
import { toDigest } from "./names.ts";
import type { Settings } from "./settings.ts";

export interface CallRow {
  readonly id: string;
  /** Null without a call_id. */
  readonly identity: Uint8Array | null;
  readonly digest: string;
  /** JSON: the session and the master id; null without either. */
  readonly linked: string | null;
  readonly record: string;
  /** The act that added it; as `readCalls` returns it. */
  readonly act?: number | null;
}

/** The additional names of a call. */
export function toLinked(stored: string | null): Pick<CallItem, "sessionId" | "masterId"> {
  const [sessionId, masterId]: readonly (string | null)[] =
    stored === null ? [] : parseStored(stored);
  return { sessionId: sessionId ?? undefined, masterId: masterId ?? undefined };
}

/** Converts between records and their stored form. */
export interface RecordForm {
  readonly toStored: (record: MetadataRecord) => string;
  /** Throws `StoreFault` if the row, with its recordings, differs from what was written. */
  readonly toItem: (row: CallRow, recordings: readonly Recording[]) => CallItem;
  /** The record without a comparison with its digest, to name a damaged row too; undefined if none of it can be read. */
  readonly readNames: (row: CallRow) => MetadataRecord | undefined;
  readonly toMessage: ToMessage;
}

type Names = Pick<MetadataRecord, "call_id" | "ref_id">;

export const nameCall = (row: CallRow, names: Names | undefined): string =>
  names === undefined ? `the call ${row.id}` : nameDamagedCall(names.call_id, names.ref_id);

export function createRecordForm({
  recordFields,
  timeZone,
}: Pick<Settings, "recordFields" | "timeZone">): RecordForm {
  const fields = checkFieldNames(JSON.parse(recordFields), fieldsOf("MetadataRecord"));
  const toNamed = createNamer(fields);
  const toRecord = ({ record }: CallRow): MetadataRecord =>
    toNamed(parseStored(record), { call_id: null, ref_id: null });
  const toItem = (row: CallRow, recordings: readonly Recording[]): CallItem => ({
    kind: "call",
    record: toRecord(row),
    ...toLinked(row.linked),
    identity: toDeclaredIdentity(row.identity),
    recordings,
  });
  const readNames = (row: CallRow) => readWhole(() => toRecord(row));
  return {
    toStored: (record) => JSON.stringify(toValues(record, fields)),
    toItem: (row, recordings) => {
      const item = readWhole(() => toItem(row, recordings));
      const digest = item && readWhole(() => toCallDigest(item, row.record));
      if (item === undefined || digest === undefined || !isEqual(toDigest(row.digest), digest))
        throw notWritten(nameCall(row, readNames(row)));
      return item;
    },
    readNames,
    toMessage: createMessageForm(timeZone),
  };
}

/** A call that was read together with its recordings. */
export interface ReadCall {
  readonly row: CallRow;
  /** Throws `StoreFault` as `toItem` does. */
  readonly toItem: () => CallItem;
}

/** The calls, newest first. Missing ones are left out. */
export async function readItems(
  ask: Ask,
  rows: readonly CallRow[],
  form: Pick<RecordForm, "toItem">,
): Promise<readonly ReadCall[]> {
  const recordingsOf = await readRecordings(
    ask,
    rows.map(({ id }) => BigInt(id)),
  );
  return rows.map((row) => ({ row, toItem: () => form.toItem(row, recordingsOf(row.id)) }));
}

/** The rows of these calls, newest first. Missing ones are left out. */
export async function readCalls(ask: Ask, ids: Iterable<bigint>): Promise<readonly CallRow[]> {
  const rows: CallRow[] = [];
  for (const [month, own] of byMonth(ids, (id) => id))
    rows.push(
      ...(await ask<CallRow>(
        `SELECT id, identity, digest, linked, record, act::float8 FROM call_${toSuffix(month)}
         WHERE id = ANY($1::int8[]) ORDER BY id DESC`,
        [toList(own)],
      )),
    );
  return rows;
}

export interface RecordingRow {
  readonly call: string;
  readonly part: number;
  readonly digest: string | null;
  readonly filename: string;
  readonly start_ms: number | null;
  readonly sha256: string;
  readonly type: string;
  readonly modified_ms: number;
  readonly bytes: string;
  readonly version: string | null;
  readonly location: string | null;
  /** True if its row of `media` is undamaged. */
  readonly whole: boolean;
  readonly sound: string | null;
}

/** Throws `StoreFault` for damaged rows, unless the caller requests them all the same. */
export type RecordingsOf = (id: string, asTheyAre?: "as they are") => readonly Recording[];

/** The recordings of these calls, each with the values that its call was imported with. */
export async function readRecordings(ask: Ask, ids: Iterable<bigint>): Promise<RecordingsOf> {
  const found = new Map<string, RecordingRow[]>();
  for (const [month, own] of byMonth(ids, (id) => id)) {
    const rows = await ask<RecordingRow>(
      `SELECT call, part, filename, start_ms, encode(sha256, 'hex') AS sha256, type, modified_ms, bytes, version, location, sound,
         replace(recording.digest::text, '-', '') AS digest, ${isWhole("media")} AS whole
       FROM recording_${toSuffix(month)} AS recording JOIN media USING (sha256)
       WHERE call = ANY($1::int8[]) ORDER BY call, part`,
      [toList(own)],
    );
    for (const row of rows) found.set(row.call, [...(found.get(row.call) ?? []), row]);
  }
  return (id, asTheyAre) =>
    (found.get(id) ?? []).map((row) => toRecording(row, asTheyAre === undefined));
}

export function toRecording(row: RecordingRow, isChecked: boolean): Recording {
  const { part, filename, start_ms, sha256, bytes, type, modified_ms, version, location, sound } =
    row;
  const digest = toRecordingHex(part, { sha256, type, modifiedMs: modified_ms });
  if (isChecked && !(row.whole && row.digest === digest))
    throw notWritten(`the row of the recording ${sha256}`);
  return {
    filename: parseStored(filename),
    startMs: start_ms ?? undefined,
    media: {
      sha256,
      bytes: Number(bytes),
      type,
      modifiedMs: modified_ms,
      version: version ?? undefined,
      ...toKnownSound(sound),
      ...(location === null ? {} : { location }),
    },
  };
}
