// Integers with more digits than a JavaScript number keeps. Rounded, an identifier would be that of another call, so they are
// read as text. Few records have one: these are parsed a second time, and the others cost nothing more.
import { RowFault } from "../source-row.ts";

/** A number has lost digits that are needed. */
export class DigitsLost extends RowFault {}

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

/** Translates `value`, the value of the JSON text `raw`; if digits are lost, translates it again with big integers as text. */
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
  // The third parameter of a reviver is not in the types of ES2024 yet: how the value was written.
  return JSON.parse(raw, keepDigits as (key: string, value: unknown) => unknown);
}

function isGreat(value: number): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER;
}
