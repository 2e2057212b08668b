// Recordings as they are read from the archive.
import type { SQLOutputValue } from "node:sqlite";
import type { Recording } from "../call-store.ts";

/** Of `recording JOIN media USING (sha256)`. */
export const RECORDING_COLUMNS =
  "filename, start_ms, sha256, bytes, type, modified_ms, fingerprint, path";

/** From a row of `RECORDING_COLUMNS`. */
export function toRecording(row: Readonly<Record<string, SQLOutputValue>>): Recording {
  return {
    filename: String(row["filename"]),
    startMs: row["start_ms"] === null ? undefined : Number(row["start_ms"]),
    media: {
      sha256: String(row["sha256"]),
      bytes: Number(row["bytes"]),
      type: String(row["type"]),
      modifiedMs: Number(row["modified_ms"]),
      fingerprint: row["fingerprint"] === null ? undefined : String(row["fingerprint"]),
      ...(row["path"] === null ? {} : { path: String(row["path"]) }),
    },
  };
}
