// Rights on records (D21): which of a user's security fields restrict which field of a record.
import type { FilterField, MetadataRecord, UserRecord, Visibility } from "./call-store.ts";
import { toMatchKey } from "./values/match-key.ts";

type Allowance =
  Extract<keyof UserRecord, `allow_all_${string}`> extends `allow_all_${infer X}` ? X : never;

const RESTRICTED = {
  campaigns: "campaign",
  skills: "skill",
  agents: "agent",
  groups: "agent_group",
  media: "media",
  secure01: "security_field_01",
  secure02: "security_field_02",
  secure03: "security_field_03",
  secure04: "security_field_04",
  secure05: "security_field_05",
} as const satisfies Partial<Record<Allowance, FilterField>>;

/** What `user` may see of the archive's calls, recordings and chats. */
export function toVisibility(user: UserRecord): Visibility {
  return (Object.keys(RESTRICTED) as (keyof typeof RESTRICTED)[])
    .filter((right) => !user[`allow_all_${right}`])
    .map((right) => {
      const field = RESTRICTED[right];
      return {
        field,
        allowed: user[`allowed_${right}`].map((value) => toMatchKey(field, value)),
      };
    });
}

export const RESTRICTED_FIELDS: readonly FilterField[] = Object.values(RESTRICTED);

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

/** Whether a record with these keys is seen; what it does not have is in no list. */
export function isVisible(keys: RestrictedKeys, visibility: Visibility): boolean {
  return visibility.every(({ field, allowed }) => {
    const key = keys[field];
    return key !== undefined && allowed.includes(key);
  });
}
