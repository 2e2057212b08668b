// Compares the records with their digests: SQLite keeps no checksums, so a byte that the disk has changed would stay
// unnoticed. Every row is stored with its digest.
import type { DatabaseSync } from "node:sqlite";
import type { ChatMessageRecord } from "../../../port/index.ts";
import { prepareBig } from "../../files/connection.ts";
import { createRecordingReader } from "../../recording-rows.ts";
import { toStoredDigest } from "../../../values/call-digest.ts";
import { type RecordRow } from "../../call-row.ts";
import { parseStored } from "../../../values/record-form.ts";
import { readAtOnce } from "../../files/transaction.ts";
import { toRowDigest, toTextDigest } from "../../../values/row-digest.ts";
import { readSetting } from "../../settings.ts";
import { DIGESTED } from "../../users.ts";
import { parseDatetime } from "../../../values/instant.ts";
import { error, type Finding, RESTORE } from "./finding.ts";
import type { RowWatch } from "./row-watch.ts";

interface CallWithDigest extends RecordRow {
  readonly id: bigint;
  readonly session_id: string | null;
  readonly master_id: string | null;
  readonly identity: Uint8Array | null;
  readonly digest: Uint8Array;
}

/** Reads all calls, messages, users and flags. */
export function examineRows(archive: DatabaseSync, file: string, watch: RowWatch): Finding[] {
  // One state of the archive for all that is compared, whatever an import writes meanwhile.
  return readAtOnce(archive, () => [
    ...examineCalls(archive, file, watch),
    ...examineChats(archive, file, watch),
    ...examineDigested(archive, file),
  ]);
}

function examineCalls(archive: DatabaseSync, file: string, watch: RowWatch): Finding[] {
  const all = prepareBig<CallWithDigest>(
    archive,
    "SELECT id, call_id, ref_id, session_id, master_id, identity, digest, record FROM call",
  );
  const readRecordings = createRecordingReader(archive);
  const damaged = findDamaged(watch("records", "call", all.iterate()), (call) =>
    isSame(call.digest, toStoredDigest(call, readRecordings(call.id))),
  );
  return toFindings("calls", damaged, file);
}

function examineChats(archive: DatabaseSync, file: string, watch: RowWatch): Finding[] {
  const timeZone = readSetting(archive, "time_zone");
  const all = archive.prepare("SELECT call_id, instant_ms, digest, record FROM chat");
  const damaged = findDamaged(watch("chats", "chat", all.iterate()), (row) => {
    const digest = toTextDigest(String(row["record"]));
    if (!(row["digest"] instanceof Uint8Array && isSame(row["digest"], digest))) return false;
    const { call_id, datetime }: ChatMessageRecord = parseStored(row["record"]);
    const parsed = parseDatetime(datetime, timeZone);
    const instantMs = typeof parsed === "string" ? undefined : parsed.instantMs;
    // By these it is found, and purged: by another call_id it would be the chat of another call, or of none.
    return row["call_id"] === call_id && row["instant_ms"] === instantMs;
  });
  return toFindings("chat messages", damaged, file);
}

// Users, their rights, and flags.
function examineDigested(archive: DatabaseSync, file: string): Finding[] {
  return Object.entries(DIGESTED).flatMap(([table, columns]) => {
    const all = archive.prepare(`SELECT ${columns.join()}, digest FROM ${table}`);
    const damaged = findDamaged(all.iterate(), (row) => {
      const digest = toRowDigest(columns.map((column) => row[column]));
      return row["digest"] instanceof Uint8Array && isSame(row["digest"], digest);
    });
    return toFindings(`${table}s`, damaged, file);
  });
}

interface Damaged {
  readonly count: number;
  readonly firstCallId: unknown;
}

function findDamaged<Row extends { readonly call_id?: unknown }>(
  rows: Iterable<Row>,
  isWhole: (row: Row) => boolean,
): Damaged {
  let count = 0;
  let firstCallId: unknown;
  for (const row of rows) {
    if (isWhole(row)) continue;
    count += 1;
    firstCallId ??= row.call_id;
  }
  return { count, firstCallId };
}

function toFindings(what: string, damaged: Damaged, file: string): Finding[] {
  if (damaged.count === 0) return [];
  const fault = `${what} are not what was imported: ${damaged.count}${toExample(damaged)}`;
  return [error(fault, file, RESTORE)];
}

function toExample({ firstCallId }: Damaged): string {
  return typeof firstCallId === "string" ? `, call_id ${firstCallId} for one` : "";
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
