// The integers of a user's status, and their names (D05).
import type { UserRecord } from "../port/index.ts";

export const USER_STATUS = { active: 1, inactive: 0, deleted: 2 } as const;

/** True if a user may sign in (D20). */
export const isActive = ({ status }: Pick<UserRecord, "status">): boolean =>
  status === USER_STATUS.active;

/** The name of a status; undefined for an unknown number. */
export function toStatusName(status: unknown): string | undefined {
  return Object.entries(USER_STATUS).find(([, number]) => number === status)?.[0];
}
