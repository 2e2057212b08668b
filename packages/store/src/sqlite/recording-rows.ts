// Recordings in the form in which they are read from the archive.
import type { DatabaseSync } from "node:sqlite";
import type { Recording } from "../port/index.ts";
import { prepareRows } from "./files/connection.ts";

/** Columns of `recording JOIN media USING (sha256)`. */
export const RECORDING_COLUMNS =
  "filename, start_ms, sha256, type, modified_ms, bytes, fingerprint, path";

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
  readonly type: string;
  readonly bytes: number;
  readonly modified_ms: number;
  readonly fingerprint: string | null;
  readonly path: string | null;
}

/** Makes a function that reads those of a call with their files, as the call was given them. */
export function createMediaReader(database: DatabaseSync): (call: bigint) => RecordingRow[] {
  const sql = `SELECT ${RECORDING_COLUMNS} FROM recording JOIN media USING (sha256) WHERE call = :id ORDER BY part`;
  const statement = prepareRows<RecordingRow>(database, sql);
  return (id) => statement.all({ id });
}

export function toRecording(row: RecordingRow): Recording {
  const { filename, start_ms, sha256, bytes, type, modified_ms, fingerprint, path } = row;
  return {
    filename,
    startMs: start_ms ?? undefined,
    media: {
      sha256,
      bytes,
      type,
      modifiedMs: modified_ms,
      version: fingerprint ?? undefined,
      ...(path === null ? {} : { location: path }),
    },
  };
}
