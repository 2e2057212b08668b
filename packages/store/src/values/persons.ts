// Users and flags as an import takes them.
import type { ArchiveItem } from "../port/index.ts";
import type { parseStored } from "./record-form.ts";

/** `userId`: that of the row of a private flag; null for others. */
export function toPerson(
  kind: "user" | "flag",
  record: ReturnType<typeof parseStored>,
  userId: unknown,
): ArchiveItem {
  if (kind === "user") return { kind, record };
  return { kind, record, userId: userId === null ? undefined : Number(userId) };
}
