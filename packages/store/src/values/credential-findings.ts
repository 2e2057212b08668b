// Findings about credentials and the access log of an archive, worded the same for every adapter.
import type { Finding } from "../port/finding.ts";
import { toStatusName, USER_STATUS } from "./user-status.ts";

// The tolerated difference between the clocks of two machines that take turns.
const CLOCK_TOLERANCE_MS = 60_000;

/** `newest`: the credential issued last, and when; undefined if there are none. */
export function toClockFindings(
  newest: { readonly name: string; readonly ms: number } | undefined,
  nowMs: number,
  where: string,
): Finding[] {
  if (newest === undefined || newest.ms <= nowMs + CLOCK_TOLERANCE_MS) return [];
  return [
    {
      level: "error",
      what: `the clock of this machine is wrong, or was: it says ${toTime(nowMs)}, and ${newest.name} was issued at ${toTime(newest.ms)}`,
      where,
      todo: "set the clock (NTP): tokens end, and rows of the access log are dated, by it; if it is right, revoke what was issued while it was ahead",
    },
  ];
}

const toTime = (ms: number) => new Date(ms).toISOString();

/** Only active users may sign in (D05, D20). Credentials of other users stay valid in case they become active again. */
export function toOwnerFindings(
  issued: { readonly name: string; readonly userId: number; readonly status: number | undefined },
  where: string,
): Finding[] {
  const { name, userId, status } = issued;
  if (status === USER_STATUS.active) return [];
  const fault =
    status === undefined ? "a user that does not exist" : `a user who is ${toStatusName(status)}`;
  return [
    {
      level: "warning",
      what: `${name} belongs to ${fault}: user ${userId}`,
      where,
      todo: "revoke it, unless the user is to come back",
    },
  ];
}

export function toLogFindings(fault: string | undefined, where: string): Finding[] {
  if (fault === undefined) return [];
  return [
    {
      level: "error",
      what: `the access log was changed: ${fault}`,
      where,
      todo: 'keep a copy of the archive as it is and find out who could write to it; "audit verify" says the same',
    },
  ];
}
