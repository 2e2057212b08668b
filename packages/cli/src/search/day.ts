// Days of the calendar, as options and conditions name them.
import { isDay } from "@call-media/conditions";
import { InvalidArgumentError } from "commander";

/** In UTC. */
export const toDayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** @throws InvalidArgumentError where it is none. */
export function toDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("It must be a day of the calendar, such as 2026-03-31.");
}
