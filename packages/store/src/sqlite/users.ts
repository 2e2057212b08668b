// Reading users and flags from SQLite.
import type { DatabaseSync } from "node:sqlite";
import type { FlagRecord, UserRecord, Users } from "../call-store.ts";

export function createUsers(database: DatabaseSync): Users {
  const all = database.prepare("SELECT record FROM user ORDER BY id");
  const byStatus = database.prepare("SELECT record FROM user WHERE status = ? ORDER BY id");
  const byId = database.prepare("SELECT record FROM user WHERE id = ?");
  const byName = database.prepare("SELECT record FROM user WHERE username = ?");
  const publicFlags = database.prepare("SELECT record FROM flag WHERE type = 'Public' ORDER BY id");
  const privateFlags = database.prepare("SELECT record FROM flag WHERE type = 'Private' AND user_id = ? ORDER BY id");

  return {
    list: async (status) => (status === undefined ? all.all() : byStatus.all(status)).map(parse<UserRecord>),
    byId: async (id) => [byId.get(id)].filter(isRow).map(parse<UserRecord>)[0],
    byName: async (username) => [byName.get(username)].filter(isRow).map(parse<UserRecord>)[0],
    publicFlags: async () => publicFlags.all().map(parse<FlagRecord>),
    privateFlags: async (userId) => privateFlags.all(userId).map(parse<FlagRecord>),
  };
}

function isRow(row: object | undefined): row is { record: string } {
  return row !== undefined;
}

function parse<T>(row: object): T {
  return JSON.parse(String("record" in row && row.record));
}
