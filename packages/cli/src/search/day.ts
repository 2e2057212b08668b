// Days of the calendar, as options and conditions name them.
import { InvalidArgumentError } from "commander";

/** In UTC. */
export const toDayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export function isDay(text: string): boolean {
  // Date takes 30 February for 2 March.
  const day = new Date(`${text}T00:00:00Z`);
  const isShaped = /^\d{4}-\d\d-\d\d$/.test(text);
  return isShaped && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** @throws InvalidArgumentError where it is none. */
export function toDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("It must be a day of the calendar, such as 2026-03-31.");
}
