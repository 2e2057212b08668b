// Rights to records (D21): the security fields of a user and the fields of a record that they restrict.
import { recordRights } from "@call-media/api";
import type { MetadataRecord, Restriction, UserRecord, Visibility } from "../port/index.ts";
import { toMatchKey } from "./match-key.ts";

/** The calls, recordings and chats of the archive that `user` may see. */
export function toVisibility(user: UserRecord): Visibility {
  return restrictTo(
    recordRights
      .filter(({ allowAll }) => !user[allowAll])
      .map(({ allowed, field }) => ({
        field,
        allowed: user[allowed].map((value) => toMatchKey(field, value)),
      })),
  );
}

/** Without restrictions, everything. */
export function restrictTo([first, ...others]: readonly Restriction[]): Visibility {
  return first === undefined ? "everything" : [first, ...others];
}

/** Empty for a caller who sees everything. */
export function listRestrictions(visibility: Visibility): readonly Restriction[] {
  return visibility === "everything" ? [] : visibility;
}

/** True if a record may be shown. */
export type AccessFilter = (record: MetadataRecord) => boolean;

/** Makes a function that returns the access filter of a visibility, the same one for the same object. */
export function createAccessFilters(): (visibility: Visibility) => AccessFilter {
  const known = new WeakMap<readonly Restriction[], AccessFilter>();
  return (visibility) => {
    if (visibility === "everything") return () => true;
    const filter = known.get(visibility) ?? createFilter(visibility);
    known.set(visibility, filter);
    return filter;
  };
}

/** True for records that meet all restrictions. */
export function createFilter(restrictions: readonly Restriction[]): AccessFilter {
  const tests = restrictions.map(({ field, allowed }) => ({ field, keys: new Set(allowed) }));
  return (record) =>
    tests.every(({ field, keys }) => {
      const value = record[field];
      return value !== null && keys.has(toMatchKey(field, value));
    });
}
