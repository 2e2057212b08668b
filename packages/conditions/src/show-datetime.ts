// Datetimes of records as people of another time zone read them.
import { type ArchiveZone, hasOffset, toInstant } from "./instant.ts";

export type ShowDatetime = (text: string) => string;

/**
 * Shows a datetime in `timeZone`, with its offset. Text without an offset is in the archive's zone (D03); where that is not
 * known it stays as it is.
 */
export function createShowDatetime(
  timeZone: string | undefined,
  archiveZone: ArchiveZone = () => undefined,
): ShowDatetime {
  if (timeZone === undefined) return (text) => text;
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: undefined,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  });
  return (text) => {
    const zone = archiveZone();
    const isKnown = zone !== undefined || hasOffset(text);
    const instant = isKnown ? toInstant(text, zone) : undefined;
    return instant === undefined ? text : toIso(format.formatToParts(instant), toFraction(text));
  };
}

/** Of a second: zones do not change it. */
function toFraction(text: string): string {
  const [, digits] = /[.,](\d+)/.exec(text) ?? [];
  return digits === undefined ? "" : `.${digits}`;
}

function toIso(parts: readonly Intl.DateTimeFormatPart[], fraction: string): string {
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? "";
  // "GMT" alone, or "GMT+02:00"; with a minus sign of its own.
  const offset = of("timeZoneName").replace("GMT", "").replace("\u2212", "-");
  const date = `${of("year")}-${of("month")}-${of("day")}`;
  return `${date}T${of("hour")}:${of("minute")}:${of("second")}${fraction}${offset || "+00:00"}`;
}
