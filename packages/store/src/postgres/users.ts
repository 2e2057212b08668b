// Reads users and flags. This is the only place that compares them with what was written.
import type {
  FlagRecord,
  PrivateFlagRecord,
  PublicFlagRecord,
  UserRecord,
  Users,
} from "../port/index.ts";
import { nameDamagedPerson, notWritten } from "../values/damaged-records.ts";
import { toFlagKey } from "../values/match-key.ts";
import { listUsers } from "../values/persons.ts";
import { parseStored } from "../values/record-form.ts";
import { toRowHex } from "../values/row-digest.ts";
import type { Archive } from "./archive.ts";
import { toList, type Value } from "./values.ts";
import { toName } from "./names.ts";

/** Rows of these tables have a digest of all these columns, in this order. */
const DIGESTED = {
  user: ["id", "name", "status", "record"],
  flag: ["id", "type", "user_id", "name", "record"],
} as const;

export type PersonTable = keyof typeof DIGESTED;

/** A row from `selectPersons`. */
export interface PersonRow {
  readonly id: number;
  readonly record: string;
  readonly digest: string | null;
  /** The act that added it. */
  readonly act?: number | null;
  readonly [column: string]: unknown;
}

const NAME = "replace(name::text, '-', '') AS name";

const COLUMNS = {
  user: `id::float8, ${NAME}, status::float8, record, replace(digest::text, '-', '') AS digest`,
  flag: `id::float8, type, user_id::float8, ${NAME}, record, replace(digest::text, '-', '') AS digest`,
} as const;

/** SQL for rows in the order of their ids. */
export const selectPersons = (table: PersonTable, where = "true") =>
  `SELECT ${COLUMNS[table]}, act::float8 FROM "${table}" WHERE ${where} ORDER BY "${table}".id`;

/** As a uuid; `values`: those of the columns above. */
export const toPersonDigest = (values: readonly unknown[]): string => toRowHex(values, "");

export const isWholePerson = (table: PersonTable, row: PersonRow): boolean =>
  row.digest === toPersonDigest(DIGESTED[table].map((name) => row[name]));

/** Throws `StoreFault` for a damaged row. */
export function readPerson(table: PersonTable, row: PersonRow): ReturnType<typeof parseStored> {
  if (!isWholePerson(table, row)) throw notWritten(nameDamagedPerson(table, row.id));
  return parseStored(row.record);
}

/** Reads the primary, so that revoked rights end immediately. */
export function createUsers({ write: { ask } }: Pick<Archive, "write">): Users {
  const select = async <Kept extends UserRecord | FlagRecord>(
    table: PersonTable,
    where: string,
    values: readonly Value[] = [],
  ) => {
    const rows = await ask<PersonRow>(selectPersons(table, where), values);
    return rows.map((row): Kept => readPerson(table, row));
  };
  const one = async (where: string, value: Value) =>
    (await select<UserRecord>("user", where, [value]))[0];
  return {
    // A condition on the column would miss a user whose status is damaged.
    list: async (status, onDamaged) => {
      const rows = await ask<PersonRow>(selectPersons("user"));
      return listUsers(rows, { read: (row) => readPerson("user", row), status, onDamaged });
    },
    byId: (id) => one("id = $1::int8", id),
    byName: (name) => one("name = $1::uuid", toName(name)),
    publicFlags: (names) =>
      select<PublicFlagRecord>(
        "flag",
        "type = 'Public' AND ($1::uuid[] IS NULL OR name = ANY($1::uuid[]))",
        [names === undefined ? null : toList(names.map((name) => toName(toFlagKey(name))))],
      ),
    privateFlags: (userId) =>
      select<PrivateFlagRecord>("flag", "type = 'Private' AND user_id = $1::int8", [userId]),
  };
}
