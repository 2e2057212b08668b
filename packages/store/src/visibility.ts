// Rights on records (D21): which of a user's security fields restrict which field of a record.
import { recordRights } from "@call-media/api";
import type { FilterField, MetadataRecord, UserRecord, Visibility } from "./call-store.ts";
import { toMatchKey } from "./values/match-key.ts";

/** What `user` may see of the archive's calls, recordings and chats. */
export function toVisibility(user: UserRecord): Visibility {
  return recordRights
    .filter(({ allowAll }) => !user[allowAll])
    .map(({ allowed, field }) => ({
      field,
      allowed: user[allowed].map((value) => toMatchKey(field, value)),
    }));
}

export const RESTRICTED_FIELDS: readonly FilterField[] = recordRights.map(({ field }) => field);

/** The match keys of what rights look at in a record; a field that is null is left out. */
export type RestrictedKeys = Readonly<Partial<Record<FilterField, string>>>;

export function toRestrictedKeys(record: MetadataRecord): RestrictedKeys {
  const keys: Partial<Record<FilterField, string>> = {};
  for (const field of RESTRICTED_FIELDS) {
    const value = record[field];
    if (value !== null) keys[field] = toMatchKey(field, value);
  }
  return keys;
}
