// Days on the command line, in a file of their own because `serve` does not need them.
import { InvalidArgumentError } from "commander";
import { findDayFault } from "@call-media/store/values";

/** A calendar day. */
export function toDay(text: string): string {
  if (findDayFault(text) === undefined) return text;
  throw new InvalidArgumentError("It must be a calendar day, like 2026-11-01.");
}
