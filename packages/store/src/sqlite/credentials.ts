// Applications, tokens and API keys in SQLite: hashes only, with the user they act for (D18-D20).
import type { DatabaseSync } from "node:sqlite";
import type {
  Application,
  Bearer,
  Credentials,
  Issued,
  Revocation,
  UserRecord,
} from "../call-store.ts";

// An expired token is still told apart from an unknown one for a week; then it goes, or every sign-in would stay for ever.
const FORGET_AFTER_MS = 7 * 86_400_000;

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
  const forget = database.prepare("DELETE FROM bearer WHERE kind = 'token' AND expires_ms < ?");
  const bearers = createBearers(database);
  const revoke = createRevoke(database, now);

  return {
    addApplication: async (given) => void addApplication.run({ ...given }),
    application: async (secretID) =>
      toIssued(
        application.get(secretID) as (ApplicationRow & IssuedRow) | undefined,
        toApplication,
      ),
    addBearer: async (given) => {
      forget.run(now() - FORGET_AFTER_MS);
      addBearer.run({
        ...given,
        secretID: given.secretID ?? null,
        expiresMs: given.expiresMs ?? null,
      });
    },
    bearer: async (hash) => bearers.read(hash),
    revoke: async (which) => {
      bearers.forget();
      return revoke(which);
    },
  };
}

const MAX_KNOWN_BEARERS = 1_000;

// Every request asks for its bearer, which takes as long as the call that it is about: those seen lately are remembered
// until something of the archive is written. `data_version` changes with what other connections write, other processes'
// included; what this one writes it must say with `forget`.
function createBearers(database: DatabaseSync) {
  const select = database.prepare(
    `SELECT bearer.id, kind, hash, user_id, secret_id, created_ms, expires_ms, revoked_ms, user.record AS user
     FROM bearer JOIN user ON user.id = user_id WHERE hash = ?`,
  );
  const dataVersion = database.prepare("PRAGMA data_version");
  const known = new Map<string, Issued<Bearer>>();
  let knownVersion: unknown;

  return {
    read: (hash: string): Issued<Bearer> | undefined => {
      const version = dataVersion.get()?.["data_version"];
      if (version !== knownVersion || known.size >= MAX_KNOWN_BEARERS) known.clear();
      knownVersion = version;
      const remembered = known.get(hash);
      if (remembered !== undefined) return remembered;
      const row: unknown = select.get(hash);
      const bearer = toIssued(row as (BearerRow & IssuedRow) | undefined, toBearer); // what `select` names
      if (bearer !== undefined) known.set(hash, bearer);
      return bearer;
    },
    forget: () => known.clear(),
  };
}

function createRevoke(database: DatabaseSync, now: () => number) {
  const update = (table: string, condition: string) =>
    database.prepare(
      `UPDATE ${table} SET revoked_ms = :now WHERE revoked_ms IS NULL AND ${condition}`,
    );
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
    if ("tokenHash" in which)
      return { applications: 0, bearers: run(bearers.token, which.tokenHash) };
    if ("application" in which) {
      return {
        applications: run(applications, which.application),
        bearers: run(bearers.ofApplication, which.application),
      };
    }
    const of = which.tokensOf;
    const count =
      "userId" in of ? run(bearers.ofUser, of.userId) : run(bearers.ofApplication, of.secretID);
    return { applications: 0, bearers: count };
  };
}

interface ApplicationRow {
  readonly secret_id: string;
  readonly key_hash: string;
  readonly user_id: number;
  readonly created_ms: number;
}

interface BearerRow {
  readonly id: string;
  readonly kind: "token" | "key";
  readonly hash: string;
  readonly user_id: number;
  readonly secret_id: string | null;
  readonly created_ms: number;
  readonly expires_ms: number | null;
}

interface IssuedRow {
  readonly revoked_ms: number | null;
  readonly user: string;
}

function toIssued<Row, T>(
  row: (Row & IssuedRow) | undefined,
  read: (row: Row) => T,
): Issued<T> | undefined {
  if (row === undefined) return undefined;
  const user: UserRecord = JSON.parse(row.user);
  return { ...read(row), user, isRevoked: row.revoked_ms !== null };
}

function toApplication(row: ApplicationRow): Application {
  return {
    secretID: row.secret_id,
    keyHash: row.key_hash,
    userId: row.user_id,
    createdMs: row.created_ms,
  };
}

function toBearer({
  id,
  kind,
  hash,
  user_id,
  secret_id,
  created_ms,
  expires_ms,
}: BearerRow): Bearer {
  return {
    id,
    kind,
    hash,
    userId: user_id,
    createdMs: created_ms,
    ...(secret_id !== null && { secretID: secret_id }),
    ...(expires_ms !== null && { expiresMs: expires_ms }),
  };
}
