// The contents of an archive that do not come from imports, as rows of its tables.
import type { Application, Bearer, InternalRow, Internals, Revocable } from "../../port/index.ts";
import { checkFollows } from "../../values/access-chain.ts";
import { HOLD_TABLES } from "../../values/holds.ts";
import { LIFE_TABLES } from "../../values/versions.ts";
import { type Head, insertRows, lockHead, readRows } from "../access-log.ts";
import type { Archive } from "../archive.ts";
import type { Ask, Transaction } from "../connection.ts";
import type { Value } from "../values.ts";
import { toNextDigest } from "../digested.ts";
import { checkTables } from "../row-sums.ts";
import { withoutNulls } from "../rows.ts";
import { putSetting } from "../settings.ts";
import { readAllTombstones } from "../tombstones.ts";
import { listKept, putKept } from "./holds.ts";

/** `open`: opens the archive, which is closed after each use. */
export function createInternals(open: () => Promise<Archive>): Internals {
  return {
    async *read(afterSeq = 0) {
      await using archive = await open();
      const { ask } = archive.write;
      await checkTables(ask, [
        "setting",
        "application",
        "bearer",
        "tombstone",
        ...LIFE_TABLES,
        ...HOLD_TABLES,
      ]);
      yield* await ask<InternalRow>(SETTINGS);
      yield* readIssued(ask);
      for await (const one of readAllTombstones(ask)) yield { kind: "tombstone", ...one };
      yield* listKept(ask, archive.settings);
      for await (const { seq, entry, hash } of readRows(ask, {}, afterSeq))
        yield { kind: "access", seq, entry, hash };
    },
    write: async (rows) => {
      await using archive = await open();
      await archive.write.transact(
        async (transaction) => {
          let head: Head = await lockHead(transaction);
          const logged = rows.filter((row) => row.kind === "access");
          for (const row of logged) {
            checkFollows(row, head);
            head = row;
          }
          for (const row of rows) await write(transaction, row);
          await insertRows(transaction, logged);
        },
        { isLong: true },
      );
    },
  };
}

const SETTINGS = `
  SELECT 'setting' AS kind, name, value FROM setting
  WHERE name IN ('archive_id', 'tombstone_key', 'policy', 'owed_marks', 'time_zone', 'migrating', 'migrated_after')`;

// The columns have the names of the port.
const APPLICATIONS = `
  SELECT secret_id AS "secretID", key_hash AS "keyHash", user_id::float8 AS "userId", created_ms::float8 AS "createdMs",
    revoked_ms::float8 AS "revokedMs" FROM application ORDER BY secret_id`;
const BEARERS = `
  SELECT hash, id, kind, user_id::float8 AS "userId", secret_id AS "secretID", key_id AS "keyId",
    created_ms::float8 AS "createdMs", expires_ms::float8 AS "expiresMs", revoked_ms::float8 AS "revokedMs"
  FROM bearer WHERE (kind <> 'key', hash) > ($1::bool, $2::text) ORDER BY kind <> 'key', hash LIMIT 1000`;

async function* readIssued(ask: Ask): AsyncGenerator<InternalRow> {
  for (const row of await ask<Revocable<Application>>(APPLICATIONS))
    yield { kind: "application", application: withoutNulls(row) };
  for (let after: readonly [boolean, string] = [false, ""]; ;) {
    const rows = await ask<Revocable<Bearer>>(BEARERS, after);
    for (const row of rows) yield { kind: "bearer", bearer: withoutNulls(row) };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = [last.kind !== "key", last.hash];
  }
}

async function write({ ask }: Transaction, row: InternalRow): Promise<void> {
  await putKept(ask, row);
  const put = (text: string, values: readonly (Value | undefined)[]) =>
    ask(
      text,
      values.map((value) => value ?? null),
    );
  if (row.kind === "setting") await putSetting(ask, row.name, row.value);
  if (row.kind === "tombstone")
    await put(
      `INSERT INTO tombstone (mark, until_day, erasure) VALUES (decode($1::text, 'hex'), $2::int4, $3::int8)
       ON CONFLICT (mark) DO UPDATE SET until_day = excluded.until_day, erasure = excluded.erasure, digest = NULL`,
      [row.mark, row.untilDay, row.erasure],
    );
  if (row.kind === "application") {
    const { secretID, keyHash, userId, createdMs, revokedMs } = row.application;
    await put(
      `INSERT INTO application (secret_id, key_hash, user_id, created_ms, revoked_ms)
       VALUES ($1::text, $2::text, $3::int8, $4::int8, $5::int8)
       ON CONFLICT (secret_id) DO UPDATE SET revoked_ms = excluded.revoked_ms, digest = ${toNextDigest("application")}`,
      [secretID, keyHash, userId, createdMs, revokedMs],
    );
  }
  if (row.kind === "bearer") {
    const { hash, id, kind, userId, secretID, keyId, createdMs, expiresMs, revokedMs } = row.bearer;
    await put(
      `INSERT INTO bearer (hash, id, kind, user_id, secret_id, key_id, created_ms, expires_ms, revoked_ms)
       VALUES ($1::text, $2::text, $3::text, $4::int8, $5::text, $6::text, $7::int8, $8::int8, $9::int8)
       ON CONFLICT (hash) DO UPDATE SET expires_ms = excluded.expires_ms, revoked_ms = excluded.revoked_ms,
         digest = ${toNextDigest("bearer")}`,
      [hash, id, kind, userId, secretID, keyId, createdMs, expiresMs, revokedMs],
    );
  }
}
