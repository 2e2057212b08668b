// Datetimes of records as a clock of some time zone shows them.
import { toDatetime } from "@call-media/client";

export interface Zones {
  /** The zone of the clock: an IANA name, or an offset such as +02:00. */
  readonly timeZone: string;
  /** The zone of text without an offset (D03); undefined where nobody knows it. */
  readonly archiveTimeZone: string | undefined;
}

/**
 * Reads a datetime as the time that the clock shows, in ms since 1970 of a clock that is set to UTC. The result is
 * undefined for other text, and for text whose moment is unknown.
 *
 * @throws RangeError where the platform does not know a zone.
 */
export function createClockReader(zones: Zones): (text: string) => number | undefined {
  const show = createClock(zones.timeZone);
  const archive = zones.archiveTimeZone;
  const showInArchive = archive === undefined ? undefined : createClock(archive);
  return (text) => {
    const instant = readInstant(text);
    if (instant !== undefined) return show(instant);
    const local = readInstant(`${text}Z`);
    if (local === undefined || showInArchive === undefined) return undefined;
    return archive === zones.timeZone ? local : show(toInstantMs(local, showInArchive));
  };
}

/** Dates of JavaScript have no leap second: it is the one before. */
const readInstant = (text: string) =>
  toDatetime(text.replace(/(?<=^.{16}):60/, ":59"))?.instant?.getTime();

type Clock = (instantMs: number) => number;

function createClock(timeZone: string): Clock {
  if (timeZone === "UTC") return (instantMs) => instantMs;
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (instantMs) => {
    const parts = new Map(
      format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
    );
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? NaN;
    const fraction = ((instantMs % 1000) + 1000) % 1000;
    return (
      Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second")) +
      fraction
    );
  };
}

const DAY_MS = 86_400_000;

/**
 * The moment at which a clock shows this time: the first of two when clocks go back. A time that clocks skip is read by
 * the offset before the change (RFC 5545, 3.3.5).
 */
function toInstantMs(clockMs: number, show: Clock): number {
  const candidates = [clockMs - DAY_MS, clockMs + DAY_MS].map(
    (near) => clockMs - (show(near) - near),
  );
  return candidates.find((one) => show(one) === clockMs) ?? candidates[0] ?? clockMs;
}
