// Parses numbers and days of arguments and options, as parsers for commander.
import { InvalidArgumentError } from "commander";

const MAX_WHOLE = 999_999_999;

/** Returns a parser of whole numbers in a range. It throws an InvalidArgumentError that names the range. */
export function toWholeNumber(from: number, to = MAX_WHOLE): (text: string) => number {
  const range = to === MAX_WHOLE ? `from ${from} up` : `from ${from} to ${to}`;
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}

/** The same for numbers with at most three decimals. `what` names the number in errors. */
export function toNumber(from: number, to: number, what = "number"): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new InvalidArgumentError(`It must be a ${what} from ${from} to ${to}.`);
  };
}

const MAX_DAYS = 3_660;

/** Days, or weeks: 7d, 4w. @throws InvalidArgumentError above ten years. */
export function toNumberOfDays(text: string): number {
  const [, number, unit] = /^(\d{1,4})([dw])$/i.exec(text) ?? [];
  const days = Number(number) * (unit?.toLowerCase() === "w" ? 7 : 1);
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError("It must be a number of days or weeks, such as 7d or 4w.");
}

/** Returns a parser of calendar days. It throws an InvalidArgumentError for a text that `isDay` refuses. */
export const createDayParser =
  (isDay: (text: string) => boolean) =>
  (text: string): string => {
    if (isDay(text)) return text;
    throw new InvalidArgumentError("It must be a day of the calendar, such as 2026-03-31.");
  };

/** A user's number. @throws InvalidArgumentError if the contract does not allow it. */
export function toUserId(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError("It must be a number, as call-media users shows it.");
}
