// Users and flags.
import type { PrivateFlagRecord, PublicFlagRecord, UserRecord, Users } from "../port/index.ts";
import { toFlagKey } from "../values/match-key.ts";
import type { Tables } from "./tables.ts";

export function createUsers(tables: Tables): Users {
  const all = () =>
    tables.users
      .values()
      .map(({ text }) => parseUser(text))
      .toSorted((a, b) => a.id - b.id);
  const flags = () =>
    tables.flags
      .entries()
      .toSorted(([a], [b]) => a - b)
      .map(([, { userId, text }]) => ({ userId, record: parseFlag(text) }));

  return {
    list: async (status) => all().filter((user) => status === undefined || user.status === status),
    byId: async (id) => findUser(tables, id),
    byName: async (name) => all().find(({ username }) => username === name),
    publicFlags: async (names) => {
      const keys = names && new Set(names.map(toFlagKey));
      return flags().flatMap(({ record }) =>
        record.Type === "Public" && (keys?.has(toFlagKey(record.Name)) ?? true) ? [record] : [],
      );
    },
    privateFlags: async (owner) =>
      flags().flatMap(({ record, userId }) =>
        record.Type === "Private" && userId === owner ? [record] : [],
      ),
  };
}

export function findUser(tables: Tables, id: number): UserRecord | undefined {
  const user = tables.users.get(id);
  return user && parseUser(user.text);
}

const parseUser = (text: string): UserRecord => JSON.parse(text);
const parseFlag = (text: string): PublicFlagRecord | PrivateFlagRecord => JSON.parse(text);
