// What a user may see and take (D21, D22).
import { recordRights } from "@call-media/api";

import type { Matcher } from "./matching.ts";
import { refuse } from "./refusal.ts";
import type { Call, Flag, User } from "./seed.ts";

/** Whether a user may see a call: a value that is null is in no list. */
export function isVisible({ record }: Call, user: User, matches: Matcher): boolean {
  return recordRights.every(
    ({ allowAll, allowed, field }) =>
      user[allowAll] || user[allowed].some((value) => matches(field, record[field], value)),
  );
}

function isAllowed(
  user: User,
  right: "flags" | "download_doc_type",
  isMeant: (value: string) => boolean,
): boolean {
  return user[`allow_all_${right}`] || user[`allowed_${right}`].some(isMeant);
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
