// The recordings of a call, and the media that they are.
import type { DatabaseSync } from "node:sqlite";
import type { Media, Recording } from "../../call-store.ts";
import { UNKNOWN_TYPE } from "../../media/read-source.ts";

export function createRecordingWriter(database: DatabaseSync) {
  const putMedia = database.prepare(
    `INSERT INTO media (sha256, bytes, type, modified_ms, fingerprint, path) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (sha256) DO UPDATE
     SET fingerprint = ifnull(excluded.fingerprint, fingerprint), path = excluded.path,
       type = iif(excluded.type = '${UNKNOWN_TYPE}', type, excluded.type)
     WHERE fingerprint IS NOT excluded.fingerprint OR path IS NOT excluded.path OR type <> excluded.type`,
  );
  const insert = database.prepare(
    "INSERT INTO recording (call, part, filename, start_ms, sha256) VALUES (?, ?, ?, ?, ?)",
  );
  const keep = ({ sha256, bytes, type, modifiedMs, fingerprint, path }: Media) =>
    void putMedia.run(sha256, bytes, type, modifiedMs, fingerprint ?? null, path ?? null);
  return {
    add: (call: bigint, recordings: readonly Recording[]) => {
      for (const [index, { filename, startMs, media }] of recordings.entries()) {
        keep(media);
        insert.run(call, index + 1, filename, startMs ?? null, media.sha256);
      }
    },
    /** Of recordings the archive has: their files were written again. */
    keep: (recordings: readonly Recording[]) => {
      for (const { media } of recordings) keep(media);
    },
  };
}
