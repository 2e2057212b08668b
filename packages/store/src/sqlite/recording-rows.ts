// Recordings as they are read from the archive.
import type { SQLOutputValue } from "node:sqlite";
import type { Recording } from "../call-store.ts";

/** Of `recording JOIN media USING (sha256)`. */
export const RECORDING_COLUMNS =
  "filename, start_ms, sha256, bytes, type, modified_ms, fingerprint, path";

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
