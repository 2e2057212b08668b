// A user's number, as an argument or an option.
import { InvalidArgumentError } from "commander";

/** @throws InvalidArgumentError where it is none that the contract allows. */
export function toUserId(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError("It must be a number, as call-media users shows it.");
}
