// The time zone of an archive, in which its days and its datetimes without an offset are (D03, D06).
import type { ServiceProfile } from "@call-media/api";
import { isTimeZone } from "./time-zone.ts";

/**
 * As the service says in Archive-Time-Zone (D34), else by the offset that `login --service` saved; undefined where neither
 * tells.
 */
export function toArchiveZone(
  headers: Pick<Headers, "get"> | undefined,
  service: Partial<ServiceProfile> = {},
): string | undefined {
  const told = headers?.get("Archive-Time-Zone") ?? "";
  if (told !== "" && isTimeZone(told)) return told;
  const { from, to } = service.utcOffsetMinutes ?? {};
  // A range is of a zone that changes its clocks, or of no zone.
  return from === undefined || from !== to ? undefined : toOffsetName(from);
}

/** 120 is +02:00. */
function toOffsetName(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = [hours, rest].map((one) => String(one).padStart(2, "0")).join(":");
  return `${minutes < 0 ? "-" : "+"}${digits}`;
}
