// What may be wrong with credentials and the access log of an archive, in the words of every adapter's check.
import type { Finding } from "../port/finding.ts";
import { toStatusName, USER_STATUS } from "./user-status.ts";

// The tolerated difference between the clocks of two machines that take turns.
const CLOCK_TOLERANCE_MS = 60_000;

/** `newest`: what was issued last, and when; undefined when nothing was. */
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

/** Users may not sign in unless they are active (D05, D20); their credentials stay good for the day they become so again. */
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
