// The files that an archive's records name: listed once, as they are at one moment, so that hours of reading files hold no
// lock and no old state of the database.
import type { DatabaseSync } from "node:sqlite";
import type { Imported } from "../media/fingerprint.ts";
import { prepareRows } from "../sqlite/files/connection.ts";

/** A file that recordings name; the first of them says where an operator finds it. */
export interface ReferencedFile extends Imported {
  /** Where a linked file lies. */
  readonly path: string | undefined;
  readonly callId: string | null;
  readonly refId: string | null;
  readonly filename: string;
  /** How many recordings have this content. */
  readonly recordings: number;
}

export interface ReferencedMedia {
  readonly files: number;
  readonly bytes: number;
  /** In the order of their digests, which is the order of the folder. */
  [Symbol.iterator](): Iterator<ReferencedFile>;
  has(sha256: string): boolean;
}

const LIST = `
  DROP TABLE IF EXISTS temp.referenced;
  CREATE TEMP TABLE referenced (
    sha256 TEXT PRIMARY KEY, bytes INTEGER, fingerprint TEXT, path TEXT,
    call_id TEXT, ref_id TEXT, filename TEXT, recordings INTEGER
  ) WITHOUT ROWID;
  INSERT INTO referenced
    SELECT sha256, bytes, fingerprint, path, call_id, ref_id, filename, recordings
    FROM (SELECT sha256, min(call) AS first, filename, count(*) AS recordings FROM recording GROUP BY sha256)
      JOIN media USING (sha256) LEFT JOIN call ON call.id = first`;

/** Lists them on the connection, in a temporary table. */
export function listReferencedMedia(archive: DatabaseSync): ReferencedMedia {
  archive.exec(LIST);
  const total = archive
    .prepare("SELECT count(*) AS files, ifnull(sum(bytes), 0) AS bytes FROM referenced")
    .get();
  const all = prepareRows<Row>(archive, "SELECT * FROM referenced ORDER BY sha256");
  const one = archive.prepare("SELECT 1 FROM referenced WHERE sha256 = ?");
  return {
    files: Number(total?.["files"]),
    bytes: Number(total?.["bytes"]),
    *[Symbol.iterator]() {
      for (const row of all.iterate()) yield toFile(row);
    },
    has: (sha256) => one.get(sha256) !== undefined,
  };
}

// The columns of the table above.
interface Row {
  readonly sha256: string;
  readonly bytes: number;
  readonly fingerprint: string | null;
  readonly path: string | null;
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly filename: string;
  readonly recordings: number;
}

function toFile({ call_id: callId, ref_id: refId, ...row }: Row): ReferencedFile {
  const { fingerprint, path } = row;
  return { ...row, callId, refId, fingerprint: fingerprint ?? undefined, path: path ?? undefined };
}
