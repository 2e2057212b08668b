// Recordings as they are read from the archive.
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

/** A backup from an earlier version lacks this column. */
export const toSoundColumn = (database: DatabaseSync): string =>
  hasColumn(database, "media", "sound") ? "media.sound" : "NULL AS sound";

/** The part of a recording that the digest of its call covers. */
export interface StoredFile {
  readonly filename: string;
  readonly start_ms: number | null;
  readonly sha256: string;
}

/**
 * Makes a function that reads the recordings of a call, as they were imported. If the row of `media` is missing, the recording has no
 * SHA-256 and its call counts as damaged: the file could not be found.
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

/** A row with the `RECORDING_COLUMNS`. */
export interface RecordingRow extends StoredFile {
  readonly part: number;
  /** Null in a backup from an earlier version. */
  readonly digest: string | null;
  readonly type: string;
  readonly bytes: number;
  readonly modified_ms: number;
  readonly fingerprint: string | null;
  readonly path: string | null;
  /** 0 if its row of `media` is damaged. */
  readonly whole: number;
  readonly sound: string | null;
}

/** Makes a function that reads the recordings of a call with their files, as they were imported. */
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

/** Throws `StoreFault` if a part that the digest of its call does not cover is damaged. */
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
