// Whole numbers of options. Apart from the other values: these load what a service checks origins and subnets with.
import { InvalidArgumentError } from "commander";

/** Throws `InvalidArgumentError` for what is no number from `from` to `to`. */
export function toInteger(text: string, from: number, to: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new InvalidArgumentError(`It must be a number from ${from} to ${to}.`);
}
