// Earlier states in SQLite: written when a record is replaced, read for its history, and erased with it.
import type { DatabaseSync } from "node:sqlite";
import type { StoredVersion } from "../../values/versions.ts";
import { prepareBig, prepareRows } from "../files/connection.ts";
import { type RecordingRow, toRecording } from "../recording-rows.ts";
import { isWhole, toInsert } from "../schema/digested.ts";

export function createVersionWriter(database: DatabaseSync): (version: StoredVersion) => void {
  const last = prepareRows<{ id: number }>(
    database,
    "SELECT ifnull(max(id), 0) AS id FROM version",
  );
  const insert = database.prepare(toInsert("version"));
  const insertRecording = database.prepare(toInsert("version_recording"));
  return ({ kind, name, identity, state, act, until, isWhole: whole, was, recordings }) => {
    const id = (last.get()?.id ?? 0) + 1;
    const is_whole = Number(whole);
    insert.run({ id, kind, name, identity, state, act, until, is_whole, was });
    for (const [index, { filename, startMs, media }] of recordings.entries())
      insertRecording.run({
        version: id,
        part: index + 1,
        filename,
        start_ms: startMs ?? null,
        sha256: media.sha256,
        type: media.type,
        modified_ms: media.modifiedMs,
      });
  };
}

interface VersionRow extends Omit<StoredVersion, "isWhole" | "recordings"> {
  readonly id: number;
  readonly is_whole: number;
  readonly whole: number;
}

/** The versions of one name, newest first. A damaged one has no state. */
export function readVersions(
  database: DatabaseSync,
  kind: StoredVersion["kind"],
  name: string,
): readonly (StoredVersion & { readonly id: number })[] {
  const rows = prepareRows<VersionRow>(
    database,
    `SELECT id, kind, name, identity, state, act, until, is_whole, was, ${isWhole("version")} AS whole
     FROM version WHERE kind = ? AND name = ? ORDER BY id DESC`,
  );
  const recordings = prepareRows<RecordingRow & { readonly is_own: number }>(
    database,
    `SELECT part, filename, start_ms, own.sha256, type, modified_ms, bytes, fingerprint, path, sound, NULL AS digest,
       ${isWhole("media")} AS whole, ${isWhole("version_recording", "own")} AS is_own
     FROM version_recording AS own JOIN media USING (sha256) WHERE version = ? ORDER BY part`,
  );
  return rows.all(kind, name).map(({ id, is_whole, whole, ...row }) => {
    const files = recordings.all(id);
    const isRight = whole === 1 && files.every((file) => file.whole === 1 && file.is_own === 1);
    const version = { ...row, id, isWhole: is_whole === 1, recordings: files.map(toRecording) };
    return isRight ? version : { ...version, isWhole: true, was: "null" };
  });
}

/**
 * Makes a function that erases the states of a record's leg, and of legs that no longer exist. It is called before the record is removed.
 */
export function createVersionEraser(database: DatabaseSync): (call: bigint) => void {
  const isAny = database.prepare("SELECT 1 FROM version LIMIT 1");
  const find = prepareBig<{ call_id: string | null }>(
    database,
    "SELECT call_id FROM call WHERE id = ?",
  );
  const remove = database.prepare(
    `DELETE FROM version WHERE kind = 'call' AND name = :callId AND NOT EXISTS
       (SELECT 1 FROM call WHERE call_id = :callId AND identity IS version.identity AND id <> :call)`,
  );
  const hasVersions = isAny.get() !== undefined;
  return (call) => {
    const callId = hasVersions ? find.get(call)?.call_id : undefined;
    if (typeof callId === "string") remove.run({ callId, call });
  };
}

/** SQL: the earlier states that go with the calls of `doomed_call`. */
export const DOOMED_VERSIONS = `SELECT id FROM version WHERE kind = 'call'
  AND name IN (SELECT call_id FROM call JOIN doomed_call USING (id))
  AND NOT EXISTS (SELECT 1 FROM call WHERE call_id = version.name AND identity IS version.identity
    AND id NOT IN (SELECT id FROM doomed_call))`;
