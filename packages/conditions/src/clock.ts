// Turns datetimes of records and of conditions into numbers to compare, whether or not the text has an offset.
import { toDatetime, toOffsetMs } from "@call-media/client";
import { type ArchiveZone, toInstant } from "./instant.ts";

/** Undefined if the text is not a datetime. */
type ReadDatetime = (text: string) => number | undefined;

export interface Clock {
  /** The instant, in ms since 1970. Text without an offset is in the archive's zone (D03), or in UTC if that is unknown. */
  readonly toInstantMs: ReadDatetime;
  /** The local time that a clock shows at that instant, in ms since 1970, as if the clock were set to UTC. */
  readonly toClockMs: ReadDatetime;
}

export interface ClockZone {
  /** IANA name of the requested zone. */
  readonly timeZone?: string | undefined;
  /** Default: unknown. */
  readonly archiveZone?: ArchiveZone;
  /** Called with each datetime of a record that cannot be parsed. */
  readonly onUnreadable?: (text: string) => void;
}

/** Without `timeZone`, a clock shows the written time and ignores its offset, so the caller need not know the archive's zone. */
export function createClock(zone: ClockZone = {}): Clock {
  const { timeZone, archiveZone = () => undefined, onUnreadable } = zone;
  const telling =
    (read: (text: string) => number | undefined): ReadDatetime =>
    (text) => {
      const ms = read(text);
      if (ms === undefined) onUnreadable?.(text);
      return ms;
    };
  return {
    toInstantMs: telling((text) => toInstant(text, archiveZone())?.getTime()),
    toClockMs: telling((text) => {
      const known = toDatetime(text, { timeZone: archiveZone() })?.instant?.getTime();
      return timeZone === undefined || known === undefined
        ? toInstant(dropOffset(text))?.getTime()
        : known + toOffsetMs(known, timeZone);
    }),
  };
}

/** Skips the date: in a date without a time, the day looks like an offset. */
const dropOffset = (text: string) =>
  text.slice(0, DAY_LENGTH) + text.slice(DAY_LENGTH).replace(/ ?(?:Z|[+-]\d\d(?::?\d\d)?)$/i, "");

const DAY_LENGTH = "2026-03-01".length;
