// The recordings of a call, and the media that they are.
import type { DatabaseSync } from "node:sqlite";
import type { Media, Recording } from "../../port/index.ts";
import { UNKNOWN_TYPE } from "../../media/non-audio.ts";
import type { Marks } from "../../values/call-digest.ts";

export function createRecordingWriter(database: DatabaseSync) {
  const putMedia = database.prepare(
    `INSERT INTO media (sha256, bytes, fingerprint, path) VALUES (?, ?, ?, ?)
     ON CONFLICT (sha256) DO UPDATE
     SET fingerprint = ifnull(excluded.fingerprint, fingerprint), path = excluded.path
     WHERE fingerprint IS NOT excluded.fingerprint OR path IS NOT excluded.path`,
  );
  const insert = database.prepare(
    `INSERT INTO recording (call, part, filename, start_ms, sha256, type, modified_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  // Bytes that show a type always show the same.
  const declare = database.prepare(
    `UPDATE recording SET type = :type WHERE part = :part AND type = '${UNKNOWN_TYPE}' AND call IN
     (SELECT id FROM call WHERE call_id = :callId AND digest = :digest
      UNION ALL SELECT id FROM call WHERE :callId IS NULL AND call_id IS NULL AND digest = :digest)`,
  );
  const keep = ({ sha256, bytes, version, location }: Media) =>
    void putMedia.run(sha256, bytes, version ?? null, location ?? null);
  return {
    add: (call: bigint, recordings: readonly Recording[]) => {
      for (const [index, { filename, startMs, media }] of recordings.entries()) {
        const { sha256, type, modifiedMs } = media;
        keep(media);
        insert.run(call, index + 1, filename, startMs ?? null, sha256, type, modifiedMs);
      }
    },
    /** For recordings that the archive has: their files were written again, and their types may be declared now. */
    keep: (recordings: readonly Recording[], { callId, digest }: Marks) => {
      for (const [index, { media }] of recordings.entries()) {
        keep(media);
        if (media.type !== UNKNOWN_TYPE)
          declare.run({ type: media.type, part: index + 1, callId, digest });
      }
    },
  };
}
