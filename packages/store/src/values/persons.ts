// Users and flags as import items, and lists of users.
import type { ArchiveItem, OnDamaged, UserRecord } from "../port/index.ts";
import { nameDamagedPerson, notWritten, readWhole } from "./damaged-records.ts";
import type { parseStored } from "./record-form.ts";

/** `userId`: from the row of a private flag; null for others. */
export function toPerson(
  kind: "user" | "flag",
  record: ReturnType<typeof parseStored>,
  userId: unknown,
): ArchiveItem {
  if (kind === "user") return { kind, record };
  return { kind, record, userId: userId === null ? undefined : Number(userId) };
}

/** The columns of a user that a list needs. */
interface UserColumns {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly record?: unknown;
}

interface Listing<Row> {
  /** Throws `StoreFault` for a damaged row. */
  readonly read: (row: Row) => UserRecord;
  /** Default: all of them. */
  readonly status: number | undefined;
  readonly onDamaged: OnDamaged | undefined;
}

/** The users with this status. A damaged user counts if its column or its record has the status: either may be right. */
export function listUsers<Row extends UserColumns>(
  rows: readonly Row[],
  { read, status, onDamaged = stopAtUser }: Listing<Row>,
): UserRecord[] {
  const isAsked = (found: unknown) => status === undefined || found === status;
  return rows.flatMap((row) => {
    const user = readWhole(() => read(row));
    if (user !== undefined) return isAsked(user.status) ? [user] : [];
    if (isAsked(row.status) || isAsked(findStatus(row.record)))
      onDamaged(nameDamagedPerson("user", row.id));
    return [];
  });
}

function stopAtUser(name: string): never {
  throw notWritten(name);
}

/** Undefined for an unreadable record. */
function findStatus(record: unknown): unknown {
  try {
    return JSON.parse(String(record)).status;
  } catch {
    return undefined;
  }
}
