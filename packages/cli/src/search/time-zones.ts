// Time zones, as options name them, and that of an archive, in which are its days and its datetimes without an offset (D03, D06).
import type { ServiceProfile } from "@call-media/api";
import { readArchiveZone, toOffset } from "@call-media/client";
import { InvalidArgumentError } from "commander";

/** @throws InvalidArgumentError where the platform does not know the zone. */
export function toTimeZone(name: string): string {
  if (isTimeZone(name))
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  throw new InvalidArgumentError("It must be a time zone such as Europe/Berlin or UTC.");
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}

/**
 * As the service says (D34), else by the offset that `login --service` saved; undefined where neither
 * tells.
 */
export function toArchiveZone(
  response: Parameters<typeof readArchiveZone>[0] | undefined,
  service: Partial<ServiceProfile> = {},
): string | undefined {
  const zone = response && readArchiveZone(response);
  if (zone !== undefined) return zone;
  const { from, to } = service.utcOffsetMinutes ?? {};
  // A range is of a zone that changes its clocks, or of no zone.
  return from === undefined || from !== to ? undefined : toOffset(from * 60_000);
}
