// Reading users and flags from SQLite. Public flags are found by their names, as rights have them.
import type { DatabaseSync } from "node:sqlite";
import type { PrivateFlagRecord, PublicFlagRecord, UserRecord, Users } from "../port/index.ts";
import { toFlagKey } from "../values/match-key.ts";
import { parseStored } from "../values/record-form.ts";

/** Rows of these tables have a digest of all these columns, in this order. */
export const DIGESTED = {
  user: ["id", "username", "status", "record"],
  flag: ["id", "type", "user_id", "name_key", "record"],
} as const;

export function createUsers(database: DatabaseSync): Users {
  const all = database.prepare("SELECT record FROM user ORDER BY id");
  const byStatus = database.prepare("SELECT record FROM user WHERE status = ? ORDER BY id");
  const findUser = createUserFinder(database);
  const byName = database.prepare("SELECT record FROM user WHERE username = ?");
  const publicFlags = database.prepare("SELECT record FROM flag WHERE type = 'Public' ORDER BY id");
  // The index finds each name: flags that may not be seen cost nothing, so time does not reveal them (D21).
  const namedFlags = database.prepare(
    "SELECT record FROM flag WHERE type = 'Public' AND name_key IN (SELECT value FROM json_each(?)) ORDER BY id",
  );
  const privateFlags = database.prepare(
    "SELECT record FROM flag WHERE type = 'Private' AND user_id = ? ORDER BY id",
  );

  const readUser = (row: Row): UserRecord => parseStored(row.record);
  const readPublic = (row: Row): PublicFlagRecord => parseStored(row.record);
  const readPrivate = (row: Row): PrivateFlagRecord => parseStored(row.record);

  return {
    list: async (status) =>
      toRows(status === undefined ? all.all() : byStatus.all(status)).map(readUser),
    byId: async (id) => findUser(id),
    byName: async (username) => toRows(byName.all(username)).map(readUser)[0],
    publicFlags: async (names) =>
      toRows(
        names === undefined
          ? publicFlags.all()
          : namedFlags.all(JSON.stringify(names.map(toFlagKey))),
      ).map(readPublic),
    privateFlags: async (userId) => toRows(privateFlags.all(userId)).map(readPrivate),
  };
}

export type FindUser = (id: number) => UserRecord | undefined;

export function createUserFinder(database: DatabaseSync): FindUser {
  const select = database.prepare("SELECT record FROM user WHERE id = ?");
  return (id) => {
    const row = select.get(id);
    return row && parseStored(row["record"]);
  };
}

interface Row {
  readonly record: string;
}

function toRows(rows: readonly unknown[]): readonly Row[] {
  return rows as readonly Row[]; // every statement above selects this column alone
}
