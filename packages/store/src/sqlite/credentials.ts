// Applications, tokens and API keys in SQLite: hashes only, with the user they act for (D18-D20).
import type { DatabaseSync } from "node:sqlite";
import type { Application, Bearer, Credentials, Issued, Revocation, UserRecord } from "../call-store.ts";

export function createCredentials(database: DatabaseSync, now: () => number): Credentials {
  const addApplication = database.prepare(
    "INSERT INTO application (secret_id, key_hash, user_id, created_ms) VALUES (:secretID, :keyHash, :userId, :createdMs)",
  );
  const application = database.prepare(
    `SELECT secret_id, key_hash, user_id, created_ms, revoked_ms, user.record AS user
     FROM application JOIN user ON user.id = user_id WHERE secret_id = ?`,
  );
  const addBearer = database.prepare(
    `INSERT INTO bearer (hash, id, kind, user_id, secret_id, created_ms, expires_ms)
     VALUES (:hash, :id, :kind, :userId, :secretID, :createdMs, :expiresMs)`,
  );
  const bearer = database.prepare(
    `SELECT bearer.id, kind, hash, user_id, secret_id, created_ms, expires_ms, revoked_ms, user.record AS user
     FROM bearer JOIN user ON user.id = user_id WHERE hash = ?`,
  );

  return {
    addApplication: async (given) => void addApplication.run({ ...given }),
    application: async (secretID) => toIssued(application.get(secretID), toApplication),
    addBearer: async (given) =>
      void addBearer.run({ ...given, secretID: given.secretID ?? null, expiresMs: given.expiresMs ?? null }),
    bearer: async (hash) => toIssued(bearer.get(hash), toBearer),
    revoke: createRevoke(database, now),
  };
}

function createRevoke(database: DatabaseSync, now: () => number) {
  const update = (table: string, condition: string) =>
    database.prepare(`UPDATE ${table} SET revoked_ms = :now WHERE revoked_ms IS NULL AND ${condition}`);
  const applications = update("application", "secret_id = :value");
  const bearers = {
    key: update("bearer", "kind = 'key' AND id = :value"),
    token: update("bearer", "kind = 'token' AND hash = :value"),
    ofApplication: update("bearer", "secret_id = :value"),
    ofUser: update("bearer", "kind = 'token' AND user_id = :value"),
  };

  return async (which: Revocation) => {
    const run = (statement: typeof applications, value: string | number) =>
      Number(statement.run({ now: now(), value }).changes);
    if ("key" in which) return { applications: 0, bearers: run(bearers.key, which.key) };
    if ("tokenHash" in which) return { applications: 0, bearers: run(bearers.token, which.tokenHash) };
    if ("application" in which) {
      return { applications: run(applications, which.application), bearers: run(bearers.ofApplication, which.application) };
    }
    const of = which.tokensOf;
    const count = "userId" in of ? run(bearers.ofUser, of.userId) : run(bearers.ofApplication, of.secretID);
    return { applications: 0, bearers: count };
  };
}

type Row = Record<string, unknown>;

function toIssued<T>(row: Row | undefined, read: (row: Row) => T): Issued<T> | undefined {
  if (row === undefined) return undefined;
  const user: UserRecord = JSON.parse(String(row["user"]));
  return { ...read(row), user, isRevoked: row["revoked_ms"] !== null };
}

function toApplication(row: Row): Application {
  return {
    secretID: String(row["secret_id"]),
    keyHash: String(row["key_hash"]),
    userId: Number(row["user_id"]),
    createdMs: Number(row["created_ms"]),
  };
}

function toBearer(row: Row): Bearer {
  return {
    id: String(row["id"]),
    kind: row["kind"] === "key" ? "key" : "token",
    hash: String(row["hash"]),
    userId: Number(row["user_id"]),
    createdMs: Number(row["created_ms"]),
    ...(row["secret_id"] === null ? {} : { secretID: String(row["secret_id"]) }),
    ...(row["expires_ms"] === null ? {} : { expiresMs: Number(row["expires_ms"]) }),
  };
}
