// Datetimes of records and of conditions as numbers that can be compared, where a text may or may not say its zone.
import { toDatetime } from "@call-media/client";
import { createShowDatetime } from "./time-zone.ts";

/** Undefined for what is no datetime. */
type ReadDatetime = (text: string) => number | undefined;

export interface Clock {
  /** The moment, in ms since 1970. Text without an offset is in the archive's zone (D03), or UTC where that is not known. */
  readonly toInstantMs: ReadDatetime;
  /** What the clock shows then, in ms since 1970 of a clock that is set to UTC. */
  readonly toClockMs: ReadDatetime;
}

export interface ClockZone {
  /** IANA name of the zone that is asked for; undefined: that of the archive. */
  readonly timeZone?: string | undefined;
  /** Minutes that the archive is ahead of UTC, where that is known. */
  readonly archiveOffsetMinutes?: number | undefined;
}

// Hours alone are one as well, but not the day of a date without a time.
const OFFSET = /(?:Z|(?<=:\d\d(?:[.,]\d+)?)[+-]\d\d(?::?\d\d)?)$/;

/** Whether the text says which moment it is. */
export const hasOffset = (text: string): boolean => OFFSET.test(text);

/** Where neither zone is known a clock shows what is written, whatever its offset. */
export function createClock({ timeZone, archiveOffsetMinutes: offset }: ClockZone = {}): Clock {
  const show = createShowDatetime(timeZone, offset);
  const toInstantMs: ReadDatetime = (text) =>
    hasOffset(text) ? readMs(text) : readMs(`${text}Z`, -(offset ?? 0));
  const toClockMs: ReadDatetime = (text) => {
    const isOfArchive = timeZone === undefined && offset !== undefined;
    if (isOfArchive && hasOffset(text)) return readMs(text, offset);
    return readMs(`${show(text).replace(OFFSET, "")}Z`);
  };
  return { toInstantMs, toClockMs };
}

function readMs(text: string, aheadMinutes = 0): number | undefined {
  const ms = toDatetime(text)?.instant?.getTime();
  return ms === undefined ? undefined : ms + aheadMinutes * 60_000;
}
