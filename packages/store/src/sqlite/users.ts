// Reads users and flags from SQLite. This is the only place that compares them with what was written. Public flags are found by
// their names, because rights refer to names.
import type { DatabaseSync } from "node:sqlite";
import type { PrivateFlagRecord, PublicFlagRecord, UserRecord, Users } from "../port/index.ts";
import { toFlagKey } from "../values/match-key.ts";
import { nameDamagedPerson, notWritten } from "../values/damaged-records.ts";
import { listUsers } from "../values/persons.ts";
import { parseStored } from "../values/record-form.ts";
import { isEqual, toRowDigest } from "../values/row-digest.ts";
import { prepareRows } from "./files/connection.ts";

/** Rows of these tables have a digest of all these columns, in this order. */
const DIGESTED = {
  user: ["id", "username", "status", "record"],
  flag: ["id", "type", "user_id", "name_key", "record"],
} as const;

/** A statement for the rows that `isWholePerson` and `readPerson` accept. */
export const selectPersons = (table: PersonTable, where = "", more = "") =>
  `SELECT ${DIGESTED[table].join()}, digest${more} FROM ${table} ${where} ORDER BY id`;

export type PersonTable = keyof typeof DIGESTED;

type PersonRow = Readonly<Record<string, unknown>>;

export function isWholePerson(table: PersonTable, row: PersonRow): boolean {
  return isEqual(row["digest"], toRowDigest(DIGESTED[table].map((column) => row[column])));
}

/** Throws `StoreFault` for a damaged row. */
export function readPerson(table: PersonTable, row: PersonRow): ReturnType<typeof parseStored> {
  if (!isWholePerson(table, row)) throw notWritten(nameDamagedPerson(table, row["id"]));
  return parseStored(row["record"]);
}

export function createUsers(database: DatabaseSync): Users {
  const select = (table: PersonTable, where?: string) =>
    prepareRows<PersonRow>(database, selectPersons(table, where));
  const all = select("user");
  const findUser = createUserFinder(database);
  const byName = select("user", "WHERE username = ?");
  const publicFlags = select("flag", "WHERE type = 'Public'");
  // The index finds each name. Hidden flags take no time, so the time does not reveal them (D21).
  const namedFlags = select(
    "flag",
    "WHERE type = 'Public' AND name_key IN (SELECT value FROM json_each(?))",
  );
  const privateFlags = select("flag", "WHERE type = 'Private' AND user_id = ?");

  const readUser = (row: PersonRow): UserRecord => readPerson("user", row);
  const readPublic = (row: PersonRow): PublicFlagRecord => readPerson("flag", row);
  const readPrivate = (row: PersonRow): PrivateFlagRecord => readPerson("flag", row);

  return {
    // A condition on the column would miss a user whose status is damaged.
    list: async (status, onDamaged) => listUsers(all.all(), { read: readUser, status, onDamaged }),
    byId: async (id) => findUser(id),
    byName: async (username) => byName.all(username).map(readUser)[0],
    publicFlags: async (names) =>
      (names === undefined
        ? publicFlags.all()
        : namedFlags.all(JSON.stringify(names.map(toFlagKey)))
      ).map(readPublic),
    privateFlags: async (userId) => privateFlags.all(userId).map(readPrivate),
  };
}

export type FindUser = (id: number) => UserRecord | undefined;

export function createUserFinder(database: DatabaseSync): FindUser {
  const select = prepareRows<PersonRow>(database, selectPersons("user", "WHERE id = ?"));
  return (id) => {
    const row = select.get(id);
    return row && readPerson("user", row);
  };
}
