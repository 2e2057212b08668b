// Shows datetimes of records in another time zone.
import { toDatetime, toOffsetMs } from "@call-media/client";
import type { ArchiveZone } from "./instant.ts";

export type ShowDatetime = (text: string) => string;

/**
 * Shows a datetime in `timeZone`, with its offset. Text without an offset is in the archive's zone (D03); if that is unknown,
 * the text stays unchanged.
 */
export function createShowDatetime(
  timeZone: string | undefined,
  archiveZone: ArchiveZone = () => undefined,
): ShowDatetime {
  if (timeZone === undefined) return (text) => text;
  return (text) => {
    const ms = toDatetime(text, { timeZone: archiveZone() })?.instant?.getTime();
    if (ms === undefined) return text;
    const offsetMs = toOffsetMs(ms, timeZone);
    return `${toClock(ms + offsetMs)}${toFraction(text)}${toOffset(offsetMs)}`;
  };
}

/** Keeps the fraction of a second, which no zone changes. */
function toFraction(text: string): string {
  const [, digits] = /[.,](\d+)/.exec(text) ?? [];
  return digits === undefined ? "" : `.${digits}`;
}

const toClock = (ms: number): string => new Date(ms).toISOString().replace(/\..*$/, "");

/** Includes seconds, for zones before offsets were whole minutes. */
function toOffset(offsetMs: number): string {
  const [hours, ...rest] = new Date(Math.abs(offsetMs)).toISOString().slice(11, 19).split(":");
  const seconds = rest[1] === "00" ? "" : `:${rest[1]}`;
  return `${offsetMs < 0 ? "-" : "+"}${hours}:${rest[0]}${seconds}`;
}
