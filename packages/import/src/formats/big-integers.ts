// Whole numbers of more digits than JavaScript keeps. As identifiers they would come out as those of other calls, so they are
// read as their digits. Few records have any: they are read a second time, the others pay nothing for it.
import { RowFault } from "../source-row.ts";

/** Thrown by whoever wants the digits of a number that has lost some. */
class DigitsLost extends RowFault {}

/** The digits of a number that `key` holds. */
export function toDigits(key: string, value: number): string {
  if (!isGreat(value)) return String(value);
  throw new DigitsLost(`${key}: a number of more digits than can be kept`);
}

/** As JSON; for the message `key` is what holds the value. */
export function toJson(key: string, value: object): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === "number") toDigits(key, member);
    return member;
  });
}

/** What `translate` makes of `value`, which is what the JSON text `raw` says. */
export async function translateExactly<T>(
  { raw, value }: { readonly raw: string; readonly value: unknown },
  translate: (value: unknown) => T | Promise<T>,
): Promise<T> {
  try {
    return await translate(value);
  } catch (error) {
    if (error instanceof DigitsLost) return await translate(parseExactly(raw));
    throw error;
  }
}

function parseExactly(raw: string): unknown {
  const keepDigits = (_: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === "number" && isGreat(value) ? source : value;
  // What the types of ES2024 do not know yet: a reviver is told how a value was written.
  return JSON.parse(raw, keepDigits as (key: string, value: unknown) => unknown);
}

function isGreat(value: number): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER;
}
