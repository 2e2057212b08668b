// Reading users and flags from SQLite.
import type { DatabaseSync } from "node:sqlite";
import type { PrivateFlagRecord, PublicFlagRecord, UserRecord, Users } from "../call-store.ts";
import { parseStored } from "./call-row.ts";

export function createUsers(database: DatabaseSync): Users {
  const all = database.prepare("SELECT record FROM user ORDER BY id");
  const byStatus = database.prepare("SELECT record FROM user WHERE status = ? ORDER BY id");
  const byId = database.prepare("SELECT record FROM user WHERE id = ?");
  const byName = database.prepare("SELECT record FROM user WHERE username = ?");
  const publicFlags = database.prepare("SELECT record FROM flag WHERE type = 'Public' ORDER BY id");
  const privateFlags = database.prepare(
    "SELECT record FROM flag WHERE type = 'Private' AND user_id = ? ORDER BY id",
  );

  const readUser = (row: Row): UserRecord => parseStored(row.record);
  const readPublic = (row: Row): PublicFlagRecord => parseStored(row.record);
  const readPrivate = (row: Row): PrivateFlagRecord => parseStored(row.record);

  return {
    list: async (status) =>
      toRows(status === undefined ? all.all() : byStatus.all(status)).map(readUser),
    byId: async (id) => toRows(byId.all(id)).map(readUser)[0],
    byName: async (username) => toRows(byName.all(username)).map(readUser)[0],
    publicFlags: async () => toRows(publicFlags.all()).map(readPublic),
    privateFlags: async (userId) => toRows(privateFlags.all(userId)).map(readPrivate),
  };
}

interface Row {
  readonly record: string;
}

function toRows(rows: readonly unknown[]): readonly Row[] {
  return rows as readonly Row[]; // every statement above selects this column alone
}
