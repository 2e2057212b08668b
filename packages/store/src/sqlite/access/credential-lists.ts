// Lists of everything ever issued. Secrets and their hashes are not even read.
import type { DatabaseSync } from "node:sqlite";
import {
  type Credentials,
  isFault,
  type ListedApplication,
  type ListedKey,
  type OnDamaged,
  type UserRecord,
} from "../../port/index.ts";
import { nameDamagedPerson, stopAtDamaged } from "../../values/damaged-records.ts";
import { listAltered } from "../digested-rows.ts";
import { type DigestedTable, isWhole } from "../schema/digested.ts";
import type { FindUser } from "../users.ts";

export interface ListSources {
  readonly access: DatabaseSync;
  readonly findUser: FindUser;
  readonly now: () => number;
}

const OF_USER = "(:userId IS NULL OR user_id = :userId)";

export function createCredentialLists({
  access,
  findUser,
  now,
}: ListSources): Pick<Credentials, "applications" | "keys"> {
  const applications = access.prepare(
    `SELECT secret_id, user_id, created_ms, revoked_ms,
       (SELECT count(*) FROM bearer WHERE secret_id = application.secret_id AND kind = 'token'
        AND bearer.revoked_ms IS NULL AND application.revoked_ms IS NULL AND expires_ms > :nowMs
        AND ${isWhole("bearer")}) AS tokens
     FROM application WHERE ${OF_USER} AND ${isWhole("application")} ORDER BY created_ms, secret_id`,
  );
  // There may be many tokens, each of an application; keys belong to none.
  const keys = access.prepare(
    `SELECT id, user_id, created_ms, expires_ms, revoked_ms FROM bearer
     WHERE secret_id IS NULL AND kind = 'key' AND ${OF_USER} AND ${isWhole("bearer")} ORDER BY created_ms, id`,
  );

  const listAll = (tables: readonly DigestedTable[]) =>
    tables.flatMap((table) => listAltered(access, table));

  return {
    applications: async (userId, onDamaged = stopAtDamaged) => {
      // Tokens are counted, so each must be undamaged, whether or not it is listed.
      for (const name of listAll(["application", "bearer"])) onDamaged(name);
      const rows: unknown = applications.all({ userId: userId ?? null, nowMs: now() });
      const toUser = remember(findUser, onDamaged);
      return (rows as ApplicationRow[]).map((row) => toApplication(row, toUser(row.user_id))); // the columns that the SQL selects
    },
    keys: async (userId, onDamaged = stopAtDamaged) => {
      for (const name of listAll(["bearer"])) onDamaged(name);
      const rows: unknown = keys.all({ userId: userId ?? null });
      const toUser = remember(findUser, onDamaged);
      return (rows as KeyRow[]).map((row) => toKey(row, toUser(row.user_id))); // the columns that the SQL selects
    },
  };
}

interface IssuedRow {
  readonly user_id: number;
  readonly created_ms: number;
  readonly revoked_ms: number | null;
}

interface ApplicationRow extends IssuedRow {
  readonly secret_id: string;
  readonly tokens: number;
}

interface KeyRow extends IssuedRow {
  readonly id: string;
  readonly expires_ms: number | null;
}

function toApplication(row: ApplicationRow, user: UserRecord | undefined): ListedApplication {
  return { secretID: row.secret_id, ...toIssue(row), user, tokens: row.tokens };
}

function toKey(row: KeyRow, user: UserRecord | undefined): ListedKey {
  const expiry = row.expires_ms === null ? {} : { expiresMs: row.expires_ms };
  return { id: row.id, ...toIssue(row), ...expiry, user };
}

function toIssue({ user_id, created_ms, revoked_ms }: IssuedRow) {
  const revocation = revoked_ms === null ? {} : { revokedMs: revoked_ms };
  return { userId: user_id, createdMs: created_ms, ...revocation };
}

// One user may have many keys.
function remember(find: FindUser, onDamaged: OnDamaged): FindUser {
  const found = new Map<number, UserRecord | undefined>();
  const findWhole = (id: number) => {
    try {
      return find(id);
    } catch (error) {
      if (!isFault(error, "damaged")) throw error;
      onDamaged(nameDamagedPerson("user", id));
      return undefined;
    }
  };
  return (id) => {
    if (!found.has(id)) found.set(id, findWhole(id));
    return found.get(id);
  };
}
