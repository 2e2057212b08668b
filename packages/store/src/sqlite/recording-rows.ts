// Recordings as they are read from the archive.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { Recording } from "../call-store.ts";
import { prepareArrays, prepareRows } from "./files/connection.ts";

/** Of `recording JOIN media USING (sha256)`. */
export const RECORDING_COLUMNS =
  "filename, start_ms, sha256, bytes, type, modified_ms, fingerprint, path";

/** A recording without what is known of its file. */
export interface StoredRecording {
  readonly filename: string;
  readonly start_ms: number | null;
  readonly sha256: string;
}

/** Makes a function that reads those of a call, in the order of D17. */
export function createRecordingReader(
  database: DatabaseSync,
): (call: bigint) => readonly StoredRecording[] {
  const select = prepareRows<StoredRecording>(
    database,
    "SELECT filename, start_ms, sha256 FROM recording WHERE call = ? ORDER BY part",
  );
  return (call) => select.all(call);
}

type ReadRecordings = (asked: Record<string, SQLInputValue>) => Recording[];

/** Makes a function that reads what a SELECT of `RECORDING_COLUMNS` finds. */
export function prepareRecordings(database: DatabaseSync, sql: string): ReadRecordings {
  const statement = prepareArrays(database, sql);
  return (asked) => statement.all(asked).map(toRecording);
}

/** From a row that begins with `RECORDING_COLUMNS`, as an array. */
export function toRecording(row: readonly SQLOutputValue[]): Recording {
  const [filename, startMs, sha256, bytes, type, modifiedMs, fingerprint, path] = row;
  return {
    filename: String(filename),
    startMs: startMs === null ? undefined : Number(startMs),
    media: {
      sha256: String(sha256),
      bytes: Number(bytes),
      type: String(type),
      modifiedMs: Number(modifiedMs),
      fingerprint: fingerprint === null ? undefined : String(fingerprint),
      ...(path === null ? {} : { path: String(path) }),
    },
  };
}
