// Users and flags.
import type {
  FlagRecord,
  PrivateFlagRecord,
  PublicFlagRecord,
  UserRecord,
  Users,
} from "../port/index.ts";
import { toFlagKey } from "../values/match-key.ts";
import type { Archive } from "./archive.ts";
import { toList, type Value } from "./connection.ts";
import { toName } from "./names.ts";

/** What they are is asked of the primary: rights that were taken back hold at once. */
export function createUsers({ write: { ask } }: Pick<Archive, "write">): Users {
  const select = async <Kept extends UserRecord | FlagRecord>(
    where: string,
    values: readonly Value[] = [],
  ) => {
    const rows = await ask<{ record: string }>(`SELECT record FROM ${where} ORDER BY id`, values);
    return rows.map(({ record }): Kept => JSON.parse(record));
  };
  const one = async (where: string, value: Value) =>
    (await select<UserRecord>(`"user" WHERE ${where}`, [value]))[0];
  return {
    list: (status) =>
      select(`"user" WHERE $1::int8 IS NULL OR status = $1::int8`, [status ?? null]),
    byId: (id) => one("id = $1::int8", id),
    byName: (name) => one("name = $1::uuid", toName(name)),
    publicFlags: (names) =>
      select<PublicFlagRecord>(
        "flag WHERE type = 'Public' AND ($1::uuid[] IS NULL OR name = ANY($1::uuid[]))",
        [names === undefined ? null : toList(names.map((name) => toName(toFlagKey(name))))],
      ),
    privateFlags: (userId) =>
      select<PrivateFlagRecord>("flag WHERE type = 'Private' AND user_id = $1::int8", [userId]),
  };
}
