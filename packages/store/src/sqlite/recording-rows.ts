// Recordings in the form in which they are read from the archive.
import type { DatabaseSync } from "node:sqlite";
import type { Recording } from "../port/index.ts";
import { toRecordingHex } from "../values/call-digest.ts";
import { nameDigested, notWritten } from "../values/damaged-records.ts";
import { toKnownSound } from "../values/stored-sound.ts";
import { prepareRows } from "./files/connection.ts";
import { isWholeIn } from "./schema/digested.ts";
import { hasColumn } from "./schema/has-column.ts";

/** Columns of `recording JOIN media USING (sha256)`. */
const RECORDING_COLUMNS =
  "part, filename, start_ms, recording.sha256, type, modified_ms, bytes, fingerprint, path";

/** A backup that an earlier version made has no such column. */
export const toSoundColumn = (database: DatabaseSync): string =>
  hasColumn(database, "media", "sound") ? "media.sound" : "NULL AS sound";

/** What the digest of its call covers of a recording. */
export interface StoredFile {
  readonly filename: string;
  readonly start_ms: number | null;
  readonly sha256: string;
}

/**
 * Makes a function that reads those of a call, as the call was given them. One whose row of `media` is not found has no SHA-256, so
 * that its call is damaged: nobody would find its file.
 */
export function createRecordingReader(
  database: DatabaseSync,
): (call: bigint) => readonly StoredFile[] {
  const select = prepareRows<StoredFile>(
    database,
    `SELECT filename, start_ms, ifnull(media.sha256, '') AS sha256
     FROM recording LEFT JOIN media USING (sha256) WHERE call = ? ORDER BY part`,
  );
  return (call) => select.all(call);
}

/** The result of a SELECT of `RECORDING_COLUMNS`. */
export interface RecordingRow extends StoredFile {
  readonly part: number;
  /** Null in a backup that an earlier version made. */
  readonly digest: string | null;
  readonly type: string;
  readonly bytes: number;
  readonly modified_ms: number;
  readonly fingerprint: string | null;
  readonly path: string | null;
  /** 0 if its row of `media` is not what was written. */
  readonly whole: number;
  readonly sound: string | null;
}

/** Makes a function that reads those of a call with their files, as the call was given them. */
export function createMediaReader(database: DatabaseSync): (call: bigint) => RecordingRow[] {
  const digest = hasColumn(database, "recording", "digest")
    ? "lower(hex(recording.digest))"
    : "NULL";
  const whole = isWholeIn(database, "media");
  const columns = `${RECORDING_COLUMNS}, ${toSoundColumn(database)}, ${digest} AS digest, ${whole} AS whole`;
  const sql = `SELECT ${columns} FROM recording JOIN media USING (sha256) WHERE call = :id ORDER BY part`;
  const statement = prepareRows<RecordingRow>(database, sql);
  return (id) => statement.all({ id });
}

/** Throws `StoreFault` for a row of which something is not what was written that the digest of its call does not cover. */
export function checkRecording(row: RecordingRow): RecordingRow {
  const { part, sha256, type, modified_ms: modifiedMs, digest, whole } = row;
  if (whole === 0) throw notWritten(nameDigested("media", row));
  if (digest !== null && digest !== toRecordingHex(part, { sha256, type, modifiedMs }))
    throw notWritten(`the row of the recording ${sha256}`);
  return row;
}

export function toRecording(row: RecordingRow): Recording {
  const { filename, start_ms, sha256, bytes, type, modified_ms, fingerprint, path, sound } = row;
  return {
    filename,
    startMs: start_ms ?? undefined,
    media: {
      sha256,
      bytes,
      type,
      modifiedMs: modified_ms,
      version: fingerprint ?? undefined,
      ...toKnownSound(sound),
      ...(path === null ? {} : { location: path }),
    },
  };
}
