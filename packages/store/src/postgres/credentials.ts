// Applications, tokens, API keys and sessions in PostgreSQL: only hashes, with the user they act for (D18-D20, D35). Nothing
// is cached: a credential that one server revokes is rejected by every other with the next request (D31).
import type { OperatorAct } from "../port/access-log.ts";
import type {
  Application,
  Bearer,
  Credentials,
  Issued,
  OnDamaged,
  Revocation,
  UserRecord,
} from "../port/index.ts";
import { toOperatorEntry } from "../values/access-chain.ts";
import {
  nameDamagedPerson,
  nameDigested,
  notAsWritten,
  readWhole,
  stopAtDamaged,
} from "../values/damaged-records.ts";
import { FORGET_AFTER_MS } from "../values/expiry.ts";
import { appendEntry } from "./access-log.ts";
import type { Pool, Transaction } from "./connection.ts";
import type { Value } from "./values.ts";
import { type DigestedTable, isWhole, type Judged, listAltered, toNextDigest } from "./digested.ts";
import { withoutNulls } from "./rows.ts";
import { readPerson } from "./users.ts";

// By this program's clock: the maximum time that a request waits for its bearer.
const DEADLINE_MS = 5_000;

const USER = `u.record AS user, replace(u.name::text, '-', '') AS "userName", u.status::float8 AS "userStatus",
    replace(u.digest::text, '-', '') AS "userDigest"`;

// Revoking the application or key ends the tokens and sessions opened with it, including one that was being opened meanwhile.
const BEARER = `
  SELECT b.id, b.kind, b.hash, b.user_id::float8 AS "userId", b.secret_id AS "secretID", b.key_id AS "keyId",
    b.created_ms::float8 AS "createdMs",
    (CASE WHEN k.expires_ms < b.expires_ms THEN k.expires_ms ELSE b.expires_ms END)::float8 AS "expiresMs",
    coalesce(b.revoked_ms, a.revoked_ms, k.revoked_ms) IS NOT NULL AS "isRevoked", ${USER},
    ${isWhole("b")} AND (b.secret_id IS NULL OR a.secret_id IS NOT NULL AND ${isWhole("a")})
      AND (b.key_id IS NULL OR k.id IS NOT NULL AND ${isWhole("k")}) AS whole
  FROM bearer b JOIN "user" u ON u.id = b.user_id
    LEFT JOIN application a ON a.secret_id = b.secret_id LEFT JOIN bearer k ON k.id = b.key_id
  WHERE b.hash = $1::text`;

const APPLICATION = `
  SELECT a.secret_id AS "secretID", a.key_hash AS "keyHash", a.user_id::float8 AS "userId",
    a.created_ms::float8 AS "createdMs", a.revoked_ms IS NOT NULL AS "isRevoked", ${USER}, ${isWhole("a")} AS whole
  FROM application a JOIN "user" u ON u.id = a.user_id WHERE a.secret_id = $1::text`;

const APPLICATIONS = `
  SELECT a.secret_id AS "secretID", a.user_id::float8 AS "userId", a.created_ms::float8 AS "createdMs",
    a.revoked_ms::float8 AS "revokedMs", ${USER},
    (SELECT count(*) FROM bearer b WHERE b.secret_id = a.secret_id AND b.kind = 'token'
      AND b.revoked_ms IS NULL AND a.revoked_ms IS NULL AND b.expires_ms > $2::float8 AND ${isWhole("b")})::float8 AS tokens
  FROM application a JOIN "user" u ON u.id = a.user_id
  WHERE ($1::int8 IS NULL OR a.user_id = $1::int8) AND ${isWhole("a")} ORDER BY a.created_ms, a.secret_id`;

const KEYS = `
  SELECT b.id, b.user_id::float8 AS "userId", b.created_ms::float8 AS "createdMs", b.expires_ms::float8 AS "expiresMs",
    b.revoked_ms::float8 AS "revokedMs", ${USER}
  FROM bearer b JOIN "user" u ON u.id = b.user_id
  WHERE b.kind = 'key' AND ($1::int8 IS NULL OR b.user_id = $1::int8) AND ${isWhole("b")} ORDER BY b.created_ms, b.id`;

/** `now`: ms since 1970. */
export function createCredentials({ ask, transact }: Pool, now: () => number): Credentials {
  const toUser = createUserReader();
  const select = async <Selected extends object>(
    text: string,
    ...values: readonly Value[]
  ): Promise<Selected[]> => {
    const rows = await ask<IssuedRow>(text, values, DEADLINE_MS);
    return rows.map(({ whole, userName, userStatus, userDigest, ...row }) => {
      // A damaged credential grants no rights.
      if (!whole)
        throw notAsWritten(nameDigested("id" in row ? "bearer" : "application", toNamed(row)));
      const user = toUser({ ...row, userName, userStatus, userDigest });
      return withoutNulls({ ...row, user }) as object as Selected; // the columns that the SQL selects
    });
  };
  const name = async (tables: readonly DigestedTable[], onDamaged: OnDamaged) => {
    for (const table of tables)
      for (const damaged of await listAltered(ask, table)) onDamaged(damaged);
  };
  const list = async <Listed extends object>(
    text: string,
    values: readonly Value[],
    onDamaged: OnDamaged,
  ): Promise<Listed[]> => {
    const rows = await ask<UserRow>(text, values, DEADLINE_MS);
    return rows.map(({ userName, userStatus, userDigest, ...row }) => {
      const user = readWhole(() => toUser({ ...row, userName, userStatus, userDigest }));
      if (user === undefined) onDamaged(nameDamagedPerson("user", row.userId));
      return withoutNulls({ ...row, user: user ?? null }) as object as Listed; // the columns that the SQL selects
    });
  };
  const change = <T>(work: (transaction: Transaction) => Promise<T>) =>
    transact(work, { deadlineMs: DEADLINE_MS });
  const record = async (transaction: Transaction, act: OperatorAct | undefined) => {
    if (act !== undefined) await appendEntry(transaction, toOperatorEntry(act));
  };
  return {
    addApplication: ({ secretID, keyHash, userId, createdMs }, act) =>
      change(async (transaction) => {
        await transaction.ask(
          "INSERT INTO application (secret_id, key_hash, user_id, created_ms) VALUES ($1::text, $2::text, $3::int8, $4::int8)",
          [secretID, keyHash, userId, createdMs],
        );
        await record(transaction, act);
      }),
    application: async (secretID) => (await select<Issued<Application>>(APPLICATION, secretID))[0],
    applications: async (userId, onDamaged = stopAtDamaged) => {
      // Tokens are counted, so each must be undamaged, whether or not it is listed.
      await name(["application", "bearer"], onDamaged);
      return await list(APPLICATIONS, [userId ?? null, now()], onDamaged);
    },
    keys: async (userId, onDamaged = stopAtDamaged) => {
      await name(["bearer"], onDamaged);
      return await list(KEYS, [userId ?? null], onDamaged);
    },
    addBearer: (bearer, act) =>
      change(async (transaction) => {
        await addBearer(transaction, bearer, now() - FORGET_AFTER_MS);
        await record(transaction, act);
      }),
    bearer: async (hash) => (await select<Issued<Bearer>>(BEARER, hash))[0],
    extendSession: async (hash, expiresMs) => {
      await change((transaction) =>
        transaction.ask(
          `UPDATE bearer SET expires_ms = $2::int8, digest = ${toNextDigest("bearer")} WHERE kind = 'session' AND hash = $1::text AND revoked_ms IS NULL`,
          [hash, expiresMs],
        ),
      );
    },
    revoke: (which, act) =>
      change(async (transaction) => {
        const revoked = await revoke(transaction, which, now());
        if (revoked.applications + revoked.bearers > 0) await record(transaction, act);
        return revoked;
      }),
  };
}

interface UserRow {
  readonly userId: number;
  /** The columns of the user's row. */
  readonly user: string;
  readonly userName: string;
  readonly userStatus: number;
  readonly userDigest: string | null;
}

type IssuedRow = UserRow &
  Judged & { readonly id?: string; readonly kind?: string; readonly secretID?: string | null };

/** The names by which an operator finds it. */
const toNamed = ({ id, kind = "key", secretID }: Partial<IssuedRow>) => ({
  id,
  kind,
  secret_id: secretID,
});

/**
 * Returns the same object for an unchanged row, which it compares with what was written. A request then does not recompute the rights
 * of a user who has not changed.
 */
function createUserReader() {
  const known = new Map<number, { readonly text: string; readonly user: UserRecord }>();
  return ({ userId, user: record, userName, userStatus, userDigest }: UserRow): UserRecord => {
    const text = JSON.stringify([userDigest, userName, userStatus, record]);
    const found = known.get(userId);
    if (found?.text === text) return found.user;
    const row = { id: userId, name: userName, status: userStatus, record, digest: userDigest };
    const user: UserRecord = readPerson("user", row);
    if (known.size >= MAX_KNOWN_USERS) known.clear();
    known.set(userId, { text, user });
    return user;
  };
}

const MAX_KNOWN_USERS = 1_000;

async function addBearer(
  { ask }: Transaction,
  bearer: Bearer,
  forgetBeforeMs: number,
): Promise<void> {
  // Skips rows that another server is about to delete: the two would wait for each other.
  await ask(
    `DELETE FROM bearer WHERE hash IN (SELECT hash FROM bearer
       WHERE kind <> 'key' AND expires_ms < $1::int8 LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    [forgetBeforeMs],
  );
  const { hash, id, kind, userId, secretID, keyId, createdMs, expiresMs } = bearer;
  await ask(
    `INSERT INTO bearer (hash, id, kind, user_id, secret_id, key_id, created_ms, expires_ms)
     VALUES ($1::text, $2::text, $3::text, $4::int8, $5::text, $6::text, $7::int8, $8::int8)`,
    [hash, id, kind, userId, secretID ?? null, keyId ?? null, createdMs, expiresMs ?? null],
  );
}

async function revoke({ ask }: Transaction, which: Revocation, nowMs: number) {
  const update = async (table: "application" | "bearer", condition: string, value: Value) => {
    const rows = await ask(
      `UPDATE ${table} SET revoked_ms = $1::int8, digest = ${toNextDigest(table)} WHERE revoked_ms IS NULL AND ${condition} RETURNING 1`,
      [nowMs, value],
    );
    return rows.length;
  };
  const ofBearers = async (condition: string, value: Value) => ({
    applications: 0,
    bearers: await update("bearer", condition, value),
  });
  if ("application" in which) {
    const applications = await update("application", "secret_id = $2::text", which.application);
    return { ...(await ofBearers("secret_id = $2::text", which.application)), applications };
  }
  if ("key" in which) {
    const counted = await ofBearers("kind = 'key' AND id = $2::text", which.key);
    await update("bearer", "key_id = $2::text", which.key);
    return counted;
  }
  if ("tokenHash" in which)
    return await ofBearers("kind <> 'key' AND hash = $2::text", which.tokenHash);
  if ("sessionsOf" in which)
    return await ofBearers("kind = 'session' AND user_id = $2::int8", which.sessionsOf);
  const { tokensOf: of } = which;
  return "userId" in of
    ? await ofBearers("kind <> 'key' AND user_id = $2::int8", of.userId)
    : await ofBearers("secret_id = $2::text", of.secretID);
}
