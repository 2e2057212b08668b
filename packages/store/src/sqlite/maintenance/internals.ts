// The contents of an archive in a directory that do not come from imports: settings and tombstones in archive.db, the rest in
// access.db.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Application, Bearer, InternalRow, Internals, Revocable } from "../../port/index.ts";
import { checkFollows } from "../../values/access-chain.ts";
import { notAsWritten } from "../../values/damaged-records.ts";
import { HOLD_TABLES } from "../../values/holds.ts";
import { toOwedText } from "../../values/owed-marks.ts";
import { LIFE_TABLES } from "../../values/versions.ts";
import { openAccessOf } from "../access/access-pairing.ts";
import { readHead, tryUpdateWitness } from "../access/access-witness.ts";
import { prepareRows } from "../files/connection.ts";
import { ACCESS_DATABASE, openDatabase } from "../files/database.ts";
import { toApplicationRow, toBearerRow } from "../access/issued-rows.ts";
import { checkTables } from "../digested-rows.ts";
import { inTransaction } from "../files/transaction.ts";
import { ACCESS_SCHEMA } from "../schema/access-schema.ts";
import { listSchemaDamage } from "../schema/compare-schema.ts";
import { toInsert, toNextDigest, toReplace } from "../schema/digested.ts";
import { putSetting } from "../settings.ts";
import { hasColumn } from "../schema/has-column.ts";
import { listKept, putKept } from "./holds.ts";
import { checkArchive, openArchiveToKeep, openReadOnly } from "./open-archive.ts";
import { findOwed } from "./owed.ts";

export function createInternals(directory: string): Internals {
  return {
    async *read(afterSeq = 0) {
      using archive = await openArchiveToKeep(directory);
      using access = archive.isWritable
        ? openAccessOf(archive.database, directory)
        : openReadOnly(join(directory, ACCESS_DATABASE));
      checkTables(archive.database, ["setting", "tombstone", ...LIFE_TABLES, ...HOLD_TABLES]);
      checkTables(access, ["application", "bearer"]);
      for (const name of listSchemaDamage(access, ACCESS_SCHEMA)) throw notAsWritten(name);
      yield* readRows(archive.database, SETTINGS);
      yield* readOwedMarks(archive.database);
      yield* readIssued(access);
      yield* readRows(archive.database, toTombstones(archive.database));
      yield* listKept(archive.database);
      yield* readLog(access, afterSeq);
    },
    write: async (rows) => {
      checkArchive(directory);
      using archive = openDatabase(directory);
      using access = openAccessOf(archive, directory);
      inTransaction(archive, () => {
        for (const row of rows) writeToArchive(archive, row);
        // Stored before access.db: a tombstone that is written twice is still one.
        inTransaction(access, () => writeToAccess(access, rows));
      });
      tryUpdateWitness(archive, access);
    },
  };
}

const SETTINGS = `SELECT 'setting' AS kind, name, value FROM setting
  WHERE name IN ('archive_id', 'tombstone_key', 'policy', 'time_zone', 'migrating', 'migrated_after')`;

/** The others are owed by the names of calls that are here: see `listKept`. */
function* readOwedMarks(database: DatabaseSync): Generator<InternalRow> {
  const value = toOwedText(findOwed(database).unknown);
  if (value !== undefined) yield { kind: "setting", name: "owed_marks", value };
}

const toTombstones = (database: DatabaseSync) =>
  `SELECT 'tombstone' AS kind, lower(hex(mark)) AS mark, ${hasColumn(database, "tombstone", "until_day") ? 'until_day AS "untilDay", erasure' : 'NULL AS "untilDay", NULL AS erasure'}
   FROM tombstone`;

function* readRows(database: DatabaseSync, sql: string): Generator<InternalRow> {
  yield* prepareRows<InternalRow>(database, sql).iterate(); // the columns that the SQL selects
}

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

function* readIssued(access: DatabaseSync): Generator<InternalRow> {
  const applications = prepareRows<Nullable<Revocable<Application>>>(
    access,
    `SELECT secret_id AS secretID, key_hash AS keyHash, user_id AS userId, created_ms AS createdMs, revoked_ms AS revokedMs
     FROM application ORDER BY secret_id`,
  );
  const bearers = prepareRows<Nullable<Revocable<Bearer>>>(
    access,
    `SELECT hash, id, kind, user_id AS userId, secret_id AS secretID, key_id AS keyId, created_ms AS createdMs,
       expires_ms AS expiresMs, revoked_ms AS revokedMs
     FROM bearer ORDER BY kind <> 'key', hash`,
  );
  for (const row of applications.iterate())
    yield { kind: "application", application: withoutNulls(row) };
  for (const row of bearers.iterate()) yield { kind: "bearer", bearer: withoutNulls(row) };
}

function withoutNulls<T>(row: Nullable<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T; // the others may be left out
}

const PAGE_ROWS = 1_000;

// Page by page, so that reading a long log does not block its writers.
function* readLog(access: DatabaseSync, afterSeq: number): Generator<InternalRow> {
  const page = prepareRows<Extract<InternalRow, { readonly kind: "access" }>>(
    access,
    `SELECT 'access' AS kind, seq, entry, hash FROM access WHERE seq > ? ORDER BY seq LIMIT ${PAGE_ROWS}`,
  );
  for (let rows = page.all(afterSeq); rows.length > 0; rows = page.all(rows.at(-1)?.seq ?? 0))
    yield* rows;
}

function writeToArchive(archive: DatabaseSync, row: InternalRow): void {
  if (row.kind === "setting") putSetting(archive, row.name, row.value);
  putKept(archive, row);
  if (row.kind === "tombstone")
    archive
      .prepare(toReplace("tombstone"))
      .run({ mark: Buffer.from(row.mark, "hex"), until_day: row.untilDay, erasure: row.erasure });
}

function writeToAccess(access: DatabaseSync, rows: readonly InternalRow[]): void {
  const insert = access.prepare("INSERT INTO access (seq, entry, hash) VALUES (?, ?, ?)");
  let last: { readonly seq: number; readonly hash: string } = readHead(access) ?? {
    seq: 0,
    hash: "",
  };
  for (const row of rows) {
    if (row.kind === "application") writeApplication(access, row.application);
    if (row.kind === "bearer") writeBearer(access, row.bearer);
    if (row.kind !== "access") continue;
    checkFollows(row, last);
    insert.run(row.seq, row.entry, row.hash);
    last = row;
  }
}

function writeApplication(access: DatabaseSync, application: Revocable<Application>): void {
  access
    .prepare(
      toInsert(
        "application",
        `ON CONFLICT DO UPDATE SET revoked_ms = excluded.revoked_ms,
         digest = ${toNextDigest("application", { revoked_ms: "excluded.revoked_ms" })}`,
      ),
    )
    .run(toApplicationRow(application));
}

function writeBearer(access: DatabaseSync, bearer: Revocable<Bearer>): void {
  const next = { expires_ms: "excluded.expires_ms", revoked_ms: "excluded.revoked_ms" };
  access
    .prepare(
      toInsert(
        "bearer",
        `ON CONFLICT (hash) DO UPDATE SET expires_ms = excluded.expires_ms, revoked_ms = excluded.revoked_ms,
         digest = ${toNextDigest("bearer", next)}`,
      ),
    )
    .run(toBearerRow(bearer));
}
