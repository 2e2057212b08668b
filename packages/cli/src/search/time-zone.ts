// Time zones, as options and services name them.
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
