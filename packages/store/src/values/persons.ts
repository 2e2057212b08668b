// Users and flags as an import takes them, and users as a list has them.
import type { ArchiveItem, OnDamaged, UserRecord } from "../port/index.ts";
import { nameDamagedPerson, notWritten, readWhole } from "./damaged-records.ts";
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

/** The columns of a user that a list is made of. */
interface UserColumns {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly record?: unknown;
}

interface Listing<Row> {
  /** Throws `StoreFault` for a row that is not what was written. */
  readonly read: (row: Row) => UserRecord;
  /** Default: all of them. */
  readonly status: number | undefined;
  readonly onDamaged: OnDamaged | undefined;
}

/** The users with this status. One that was changed has it if its column says so, or its record: either may have been right. */
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

/** Undefined for a record that cannot be read. */
function findStatus(record: unknown): unknown {
  try {
    return JSON.parse(String(record)).status;
  } catch {
    return undefined;
  }
}
