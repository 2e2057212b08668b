// Time zones, as options and services name them.
import type { ServiceProfile } from "@call-media/api";
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

/** Minutes that the archive is ahead of UTC, where that was found out and is one number. */
export function toArchiveOffset({ utcOffsetMinutes }: Partial<ServiceProfile>): number | undefined {
  return utcOffsetMinutes?.from === utcOffsetMinutes?.to ? utcOffsetMinutes?.from : undefined;
}
