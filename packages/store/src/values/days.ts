// The days of an operator's command, as instants (D06).
import { ArchiveError } from "../port/faults.ts";
import type { Days } from "../port/maintenance.ts";
import { findDayFault, toDayRange } from "./instant.ts";

/** In ms since 1970; undefined if unbounded. */
export interface Instants {
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** Throws `ArchiveError` for an invalid day. */
export function toInstants({ fromDay, toDay }: Days, timeZone: string): Instants {
  for (const [name, day] of Object.entries({ from: fromDay, to: toDay })) {
    const fault = day === undefined ? undefined : findDayFault(day);
    if (fault !== undefined) throw new ArchiveError(`${name}: ${fault}`);
  }
  if (fromDay !== undefined && toDay !== undefined && fromDay > toDay)
    throw new ArchiveError(`from: ${fromDay} is after ${toDay}`);
  return {
    fromMs: fromDay === undefined ? undefined : toDayRange(fromDay, fromDay, timeZone).fromMs,
    untilMs: toDay === undefined ? undefined : toDayRange(toDay, toDay, timeZone).untilMs,
  };
}

/** The first instant of the day before which an erasure takes everything. Throws `ArchiveError` for an invalid day. */
export function toBeforeMs(before: string, timeZone: string): number {
  const fault = findDayFault(before);
  if (fault !== undefined) throw new ArchiveError(`before: ${fault}`);
  return toDayRange(before, before, timeZone).fromMs;
}
