// Time zones in options, and the zone of an archive, which its days and datetimes without an offset are in (D03, D06).
import type { ServiceProfile } from "@call-media/api";
import { readArchiveZone, toOffset } from "@call-media/client";
import { InvalidArgumentError } from "commander";

/** @throws InvalidArgumentError if the platform does not know the zone. */
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

/** The zone that the service states (D34), or else the offset that `login --service` saved; undefined if both are missing. */
export function toArchiveZone(
  response: Parameters<typeof readArchiveZone>[0] | undefined,
  service: Partial<ServiceProfile> = {},
): string | undefined {
  const zone = response && readArchiveZone(response);
  if (zone !== undefined) return zone;
  const { from, to } = service.utcOffsetMinutes ?? {};
  // A range of offsets means a zone with clock changes, or no zone.
  return from === undefined || from !== to ? undefined : toOffset(from * 60_000);
}
