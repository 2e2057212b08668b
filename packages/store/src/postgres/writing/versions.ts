// Earlier states in PostgreSQL: written when a record is replaced, read for its history, and erased with it.
import type { StoredVersion } from "../../values/versions.ts";
import { type RecordingRow, toRecording } from "../call-rows.ts";
import type { Ask, Transaction } from "../connection.ts";
import { toBytes, toCopyRow, toList } from "../values.ts";
import { isWhole } from "../digested.ts";
import { toDigest, toName, toUuid } from "../names.ts";

export async function saveVersions(
  { ask, copy }: Transaction,
  versions: readonly StoredVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  const rows = await ask<{ id: string }>(
    `SELECT nextval(pg_get_serial_sequence('version', 'id')) AS id FROM generate_series(1, $1::int4)`,
    [versions.length],
  );
  const ids = rows.map(({ id }) => BigInt(id)).toSorted((a, b) => (a < b ? -1 : 1));
  const placed = versions.flatMap((version, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ id, version }];
  });
  await copy(
    "version (id, kind, name, identity, state, act, until, is_whole, was)",
    placed.map(({ id, version }) => {
      const { kind, name, identity, state, act, until, was } = version;
      const bytes = identity && toBytes(identity);
      const own = [kind, toName(name), bytes, state && toUuid(state), act, until] as const;
      return toCopyRow([id, ...own, version.isWhole ? "t" : "f", was]);
    }),
  );
  await copy(
    "version_recording (version, part, filename, start_ms, sha256, type, modified_ms)",
    placed.flatMap(({ id, version }) =>
      version.recordings.map(({ filename, startMs, media }, index) => {
        const { sha256, type, modifiedMs } = media;
        const file = [JSON.stringify(filename), startMs ?? null, `\\x${sha256}`] as const;
        return toCopyRow([id, index + 1, ...file, type, modifiedMs]);
      }),
    ),
  );
}

interface VersionRow extends Omit<StoredVersion, "isWhole" | "recordings" | "state"> {
  readonly id: string;
  readonly state: string | null;
  readonly is_whole: boolean;
  readonly whole: boolean;
}

/** The versions of one name, newest first. A damaged one has no state. */
export async function readVersions(
  ask: Ask,
  kind: StoredVersion["kind"],
  name: string,
): Promise<readonly (StoredVersion & { readonly id: string })[]> {
  const rows = await ask<VersionRow>(
    `SELECT id, kind, identity, state, act::float8, until::float8, is_whole, was, ${isWhole("version")} AS whole
     FROM version WHERE kind = $1::text AND name = $2::uuid ORDER BY id DESC`,
    [kind, toName(name)],
  );
  const files = await ask<RecordingRow & { readonly owner: string }>(
    `SELECT own.version AS owner, part, filename, start_ms, encode(sha256, 'hex') AS sha256, type, modified_ms, bytes,
       media.version, location, sound, ${isWhole("media")} AND ${isWhole("own")} AS whole
     FROM version_recording AS own JOIN media USING (sha256) WHERE own.version = ANY($1::int8[]) ORDER BY own.version, part`,
    [toList(rows.map(({ id }) => BigInt(id)))],
  );
  const byOwner = Map.groupBy(files, ({ owner }) => owner);
  return rows.map(({ id, is_whole, whole, state, ...row }) => {
    const own = byOwner.get(id) ?? [];
    const isRight = whole && own.every((file) => file.whole);
    const version = {
      ...row,
      id,
      name,
      state: state === null ? null : toDigest(state),
      isWhole: is_whole,
      recordings: own.map((file) => toRecording(file, false)),
    };
    return isRight ? version : { ...version, isWhole: true, was: "null" };
  });
}

/** Erases the states of legs that no longer have a record, after records of these calls have lost their names. */
export async function eraseVersions(ask: Ask, names: Iterable<string>): Promise<void> {
  await ask(
    `DELETE FROM version WHERE kind = 'call' AND name = ANY($1::uuid[]) AND NOT EXISTS
       (SELECT FROM call_name JOIN call USING (id) WHERE call_name.name = version.name AND call_name.kind = 'c'
          AND call.identity = version.identity)`,
    [toList(new Set(names))],
  );
}

/** SQL: true if a remaining call has an earlier state that names the content. `isDoomed`: SQL for the id of a call. */
export const isNamedEarlier = (isDoomed: (id: string) => string): string => `EXISTS
  (SELECT FROM version_recording AS own JOIN version ON version.id = own.version WHERE own.sha256 = media.sha256 AND (
     EXISTS (SELECT FROM call_name JOIN call USING (id) WHERE call_name.name = version.name AND call_name.kind = 'c'
       AND call.identity = version.identity AND NOT ${isDoomed("call_name.id")})
     OR NOT EXISTS (SELECT FROM call_name WHERE call_name.name = version.name AND call_name.kind = 'c' AND ${isDoomed("call_name.id")})))`;
