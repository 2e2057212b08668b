// Datetimes of records and of conditions as numbers that can be compared, where a text may or may not say its zone.
import { toDatetime, toOffsetMs } from "@call-media/client";
import { type ArchiveZone, toInstant } from "./instant.ts";

/** Undefined for what is no datetime. */
type ReadDatetime = (text: string) => number | undefined;

export interface Clock {
  /** The moment, in ms since 1970. Text without an offset is in the archive's zone (D03), or UTC where that is not known. */
  readonly toInstantMs: ReadDatetime;
  /** What the clock shows then, in ms since 1970 of a clock that is set to UTC. */
  readonly toClockMs: ReadDatetime;
}

export interface ClockZone {
  /** IANA name of the zone that is asked for. */
  readonly timeZone?: string | undefined;
  /** Default: it is not known. */
  readonly archiveZone?: ArchiveZone;
  /** Is told of datetimes of records that are none. */
  readonly onUnreadable?: (text: string) => void;
}

/** Without `timeZone` a clock shows what is written, whatever its offset: then no face needs to know the zone of the archive. */
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

/** The day of a date without a time may end like an offset. */
const dropOffset = (text: string) =>
  text.slice(0, DAY_LENGTH) + text.slice(DAY_LENGTH).replace(/ ?(?:Z|[+-]\d\d(?::?\d\d)?)$/i, "");

const DAY_LENGTH = "2026-03-01".length;
