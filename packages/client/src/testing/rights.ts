// What a user may see and take (D21, D22).
import type { Schema } from "@call-media/api";

import type { Matcher } from "./matching.ts";
import { refuse } from "./refusal.ts";
import type { Call, Flag, User } from "./seed.ts";

const NUMBERS = ["01", "02", "03", "04", "05"] as const;

type Field = keyof Schema<"MetadataRecord">;

/** The right of the records whose field has an allowed value: allow_all_X, or allowed_X. */
const RIGHTS: readonly (readonly [right: string, field: Field])[] = [
  ["campaigns", "campaign"],
  ["skills", "skill"],
  ["agents", "agent"],
  ["groups", "agent_group"],
  ["media", "media"],
  ...NUMBERS.map((number) => [`secure${number}`, `security_field_${number}`] as const),
];

/** Whether a user may see a call: a value that is null is in no list. */
export function isVisible({ record }: Call, user: User, matches: Matcher): boolean {
  return RIGHTS.every(([right, field]) =>
    isAllowed(user, right, (value) => matches(field, record[field], value)),
  );
}

function isAllowed(user: User, right: string, isMeant: (value: string) => boolean): boolean {
  // The names are made of those of the contract.
  const rights = user as unknown as Readonly<Record<string, unknown>>;
  if (rights[`allow_all_${right}`] === true) return true;
  const allowed = rights[`allowed_${right}`];
  return Array.isArray(allowed) && allowed.some((value) => isMeant(String(value)));
}

/** An administrator sees every user, everybody else only themselves. */
export function seesUser({ is_admin: isAdmin, id }: User, other: number): boolean {
  return isAdmin || id === other;
}

export function seesFlag(user: User, { flag, userId }: Flag, matches: Matcher): boolean {
  if (userId !== undefined) return seesUser(user, userId);
  return isAllowed(user, "flags", (name) => matches("Name", flag.Name, name));
}

/** @throws Refusal of 403 where recordings, or files of that type, are not for this user. */
export function checkDownload(user: User, filename?: string): void {
  if (!user.allow_download) throw refuse(403, "allow_download is not granted to this user");
  if (filename === undefined) return;
  const type = toType(filename.includes(".") ? filename.slice(filename.lastIndexOf(".")) : "");
  if (isAllowed(user, "download_doc_type", (allowed) => toType(allowed) === type)) return;
  throw refuse(403, `allowed_download_doc_type of this user does not list ${type || "such files"}`);
}

const toType = (text: string) => text.trim().toLowerCase().replace(/^\./, "");
