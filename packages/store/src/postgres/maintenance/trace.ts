// Finds where a call or a recording still exists, as far as an archive in PostgreSQL knows: in its tables and among its recordings.
import { stat } from "node:fs/promises";
import { ArchiveError } from "../../port/faults.ts";
import type { Found, Trace, TraceOf } from "../../port/trace.ts";
import { toInstantMs } from "../../values/order-key.ts";
import type { Archive } from "../archive.ts";
import type { Ask } from "../connection.ts";
import { toName } from "../names.ts";
import { openSnapshot } from "../open-transaction.ts";
import { toList } from "../values.ts";
import { toTraced, traceEntries } from "../../values/traced-entries.ts";
import { findEarlier } from "./erase.ts";
import { toOwn } from "./ledger.ts";

const NO_COUNTS = { calls: 0, chats: 0, files: 0, fileBytes: 0 };

/** See `Maintenance.trace`. Throws `ArchiveError` for a text. */
export async function trace(archive: Archive, of: TraceOf): Promise<Trace> {
  if ("text" in of)
    throw new ArchiveError(
      "no text is traced in a database: search it by its own means, and trace calls and recordings here",
    );
  const own = toOwn(archive);
  const key = archive.settings.tombstoneKey;
  const entries = own === undefined ? [] : await traceEntries(own, of, key);
  const { rows, found } = await findRows(
    archive,
    of,
    entries.flatMap((entry) => entry.sounds),
  );
  const moments = rows.flatMap((id) => toInstantMs(id) ?? []);
  return {
    here: found,
    erased: "callId" in of ? await findEarlier(archive, of, NO_COUNTS) : undefined,
    entries: entries.map(toTraced),
    backups: [],
    parts: [],
    files: [],
    unread: [],
    span:
      moments.length === 0
        ? undefined
        : { fromMs: Math.min(...moments), toMs: Math.max(...moments) },
  };
}

type Traced = Exclude<TraceOf, { readonly text: string }>;

interface Rows {
  /** The ids of the records. */
  readonly rows: readonly bigint[];
  readonly found: Found;
}

/** `sounds`: the contents that were erased with it; they may exist again, or still. */
async function findRows(archive: Archive, of: Traced, sounds: readonly string[]): Promise<Rows> {
  await using snapshot = await openSnapshot(archive.write);
  const { ask } = snapshot;
  const tables =
    "callId" in of ? await findCall(ask, of.callId) : await findContent(ask, of.sha256);
  const erased = sounds.map((sha256) => ({ sha256, location: null }));
  const files = await listFiles(archive, [...tables.contents, ...erased]);
  return {
    rows: tables.rows,
    found: {
      records: tables.rows.length,
      states: tables.states,
      messages: tables.messages,
      files: files.length,
      bytes: files.reduce((sum, bytes) => sum + bytes, 0),
    },
  };
}

/** `location`: the path of a linked one. */
interface Content {
  readonly sha256: string;
  readonly location: string | null;
}

async function findCall(ask: Ask, callId: string) {
  const name = toName(callId);
  const rows = await listIds(
    ask,
    "SELECT DISTINCT id FROM call_name WHERE kind = 'c' AND name = $1::uuid",
    name,
  );
  const contents = await ask<Content>(
    `SELECT encode(sha256, 'hex') AS sha256, location FROM media WHERE sha256 IN (
       SELECT sha256 FROM recording WHERE call = ANY($1::int8[]) UNION
       SELECT sha256 FROM version_recording JOIN version ON version.id = version WHERE kind = 'call' AND name = $2::uuid)`,
    [toList(rows), name],
  );
  return {
    rows,
    contents,
    states: await count(ask, "version WHERE kind = 'call' AND name = $1::uuid", name),
    messages: await count(ask, "chat WHERE call_name = $1::uuid", name),
  };
}

async function findContent(ask: Ask, sha256: string) {
  const isIt = "sha256 = decode($1::text, 'hex')";
  const known = await ask<Content>(
    `SELECT encode(sha256, 'hex') AS sha256, location FROM media WHERE ${isIt}`,
    [sha256],
  );
  return {
    rows: await listIds(ask, `SELECT DISTINCT call AS id FROM recording WHERE ${isIt}`, sha256),
    // A file that no row names may be there all the same.
    contents: known.length > 0 ? known : [{ sha256, location: null }],
    states: await count(ask, `version_recording WHERE ${isIt}`, sha256),
    messages: 0,
  };
}

async function listIds(ask: Ask, sql: string, value: string): Promise<readonly bigint[]> {
  const rows = await ask<{ id: string }>(sql, [value]);
  return rows.map(({ id }) => BigInt(id));
}

async function count(ask: Ask, rows: string, value: string): Promise<number> {
  const [found] = await ask<{ n: number }>(`SELECT count(*)::float8 AS n FROM ${rows}`, [value]);
  return found?.n ?? 0;
}

/** The sizes of those that exist. */
async function listFiles({ media }: Archive, contents: readonly Content[]) {
  const own = new Set(
    contents.flatMap(({ sha256, location }) => (location === null ? [sha256] : [])),
  );
  const sizes: number[] = [];
  if (own.size > 0)
    for await (const { sha256 = "", bytes } of media.list()) if (own.has(sha256)) sizes.push(bytes);
  for (const { location } of contents) {
    const linked = location === null ? undefined : await stat(location).catch(() => undefined);
    if (linked !== undefined) sizes.push(linked.size);
  }
  return sizes;
}
