// The files that an archive's records name. They are listed once from a snapshot: reading files for hours then holds no lock
// and no old state of the database.
import type { DatabaseSync } from "node:sqlite";
import type { Reference } from "../../port/maintenance.ts";
import type { Media } from "../../port/media.ts";
import { toKnownSound, toStoredSound } from "../../values/stored-sound.ts";
import { prepareRows } from "../files/connection.ts";
import { hasTable } from "../schema/has-column.ts";
import { toSoundColumn } from "../recording-rows.ts";
import { toNextDigest } from "../schema/digested.ts";
import { type IdSpan, IN_SPAN } from "../scan.ts";

export interface ListedMedia {
  readonly files: number;
  readonly bytes: number;
  /** In the order of their digests, which is the order of the directory. */
  [Symbol.iterator](): Iterator<Reference>;
  has(sha256: string): Promise<boolean>;
}

const TABLE = `
  DROP TABLE IF EXISTS temp.referenced;
  CREATE TEMP TABLE referenced (
    sha256 TEXT PRIMARY KEY, bytes INTEGER, type TEXT, modified_ms INTEGER, fingerprint TEXT, path TEXT, sound TEXT,
    call_id TEXT, ref_id TEXT, filename TEXT, recordings INTEGER
  ) WITHOUT ROWID;`;

const toFill = (database: DatabaseSync) => `INSERT INTO referenced
  SELECT sha256, bytes, type, modified_ms, fingerprint, path, ${toSoundColumn(database)}, call_id, ref_id, filename, recordings
  FROM (SELECT sha256, min(call) AS first, filename, type, modified_ms, count(*) AS recordings
      FROM recording JOIN call ON call.id = recording.call WHERE ${IN_SPAN} GROUP BY sha256)
    JOIN media USING (sha256) LEFT JOIN call ON call.id = first`;

/** The contents that only earlier states name. */
const toFillEarlier = (database: DatabaseSync) => `INSERT OR IGNORE INTO referenced
  SELECT sha256, bytes, type, modified_ms, fingerprint, path, ${toSoundColumn(database)}, name, NULL, filename, count(*)
  FROM version_recording JOIN media USING (sha256) JOIN version ON version.id = version GROUP BY sha256`;

interface Listed {
  /** Includes those of earlier states; default: true. */
  readonly hasEarlier?: boolean;
  /** Contents to leave out. */
  readonly without?: readonly string[];
  /** True for contents that another backup in the same directory names. */
  readonly isOfOthers?: (sha256: string) => boolean;
}

/** Lists them on the connection, in a temporary table. */
export function listReferencedMedia(
  archive: DatabaseSync,
  span: IdSpan,
  { hasEarlier = true, without = [], isOfOthers = () => false }: Listed = {},
): ListedMedia {
  archive.exec(TABLE);
  archive.prepare(toFill(archive)).run({ ...span });
  // A backup from an earlier version lacks this table.
  if (hasEarlier && hasTable(archive, "version_recording")) archive.exec(toFillEarlier(archive));
  archive
    .prepare("DELETE FROM referenced WHERE sha256 IN (SELECT value FROM json_each(?))")
    .run(JSON.stringify(without));
  const total = archive
    .prepare("SELECT count(*) AS files, ifnull(sum(bytes), 0) AS bytes FROM referenced")
    .get();
  const all = prepareRows<Row>(archive, "SELECT * FROM referenced ORDER BY sha256");
  const one = archive.prepare("SELECT 1 FROM referenced WHERE sha256 = ?");
  return {
    files: Number(total?.["files"]),
    bytes: Number(total?.["bytes"]),
    *[Symbol.iterator]() {
      for (const row of all.iterate()) yield toReference(row);
    },
    has: async (sha256) => one.get(sha256) !== undefined || isOfOthers(sha256),
  };
}

// The columns of the table above.
interface Row {
  readonly sha256: string;
  readonly bytes: number;
  readonly type: string;
  readonly modified_ms: number;
  readonly fingerprint: string | null;
  readonly path: string | null;
  readonly sound: string | null;
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly filename: string;
  readonly recordings: number;
}

function toReference(row: Row): Reference {
  const { sha256, bytes, type, filename, recordings } = row;
  const version = row.fingerprint ?? undefined;
  const location = row.path ?? undefined;
  return {
    media: {
      sha256,
      bytes,
      type,
      modifiedMs: row.modified_ms,
      version,
      location,
      ...toKnownSound(row.sound),
    },
    callId: row.call_id,
    refId: row.ref_id,
    filename,
    recordings,
  };
}

/** Stores that the file's content was intact in this state, and the facts about its audio. */
export function remember(database: DatabaseSync, { sha256, version = "", sound }: Media): void {
  const digest = toNextDigest("media", { sound: "ifnull(:sound, sound)" });
  const update = `UPDATE media SET fingerprint = :version, sound = ifnull(:sound, sound), digest = ${digest} WHERE sha256 = :sha256`;
  database.prepare(update).run({ version, sound: toStoredSound(sound) ?? null, sha256 });
}
