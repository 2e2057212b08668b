// Phone numbers (D30): which part of a stored number is compared, and how a dialled number matches its end.
import { toAsciiDigits } from "./tokens.ts";

/** The minimum number of digits of an ending. */
export const MIN_ENDING = 4;

/** Country codes of two digits (ITU-T E.164); 1 and 7 have one, all others three. */
const TWO_DIGITS: ReadonlySet<string> = new Set(
  "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98".split(
    " ",
  ),
);

/** The digits of a stored number. From a SIP or tel URI, only the user part counts, without parameters and extension. */
export function toStoredDigits(number: string): string {
  if (/^\+?[0-9]+$/.test(number)) return number.replace("+", "");
  return toOwn(number).replaceAll(/[^0-9]/g, "");
}

/** A number without `tel:`, host, parameters and extension, its digits as 0 to 9. Telephones add bidi marks around it. */
function toOwn(number: string): string {
  const [own = ""] = toAsciiDigits(number)
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replace(/^(?:sips?|tel):/i, "")
    .split(/[@;,#x]|ext/i, 1);
  return own;
}

/**
 * Returns the digits that a stored number must end with: without a country code, and without a leading 0 or 1 as dialled.
 * Undefined if fewer than four remain.
 */
export function toEnding(written: string): string | undefined {
  const text = toAsciiDigits(written).trim();
  const digits = text.replace("(0)", "").replaceAll(/[^0-9]/g, "");
  if (digits.length < MIN_ENDING) return undefined;
  if (/^\(?\+/.test(text) && digits.length >= 8) return withoutCountry(digits);
  if (digits.startsWith("00") && digits.length >= 10) return withoutCountry(digits.slice(2));
  if (digits.startsWith("011") && digits.length >= 12) return withoutCountry(digits.slice(3));
  if (digits.startsWith("1") && digits.length === 11) return digits.slice(1);
  if (digits.startsWith("0") && digits.length >= 7) return digits.slice(1);
  return digits;
}

/** Digits, with the separators that people write. */
export const NUMBER = /^[\s\p{Nd}+().\-\u2010-\u2015/]+$/u;

/** The same for a field that contains only a number, in any notation. Undefined also if the text has letters. */
export function toTypedEnding(written: string): string | undefined {
  const own = toOwn(written);
  return /\p{L}/u.test(own) ? undefined : toEnding(own);
}

function withoutCountry(digits: string): string {
  if (/^[17]/.test(digits)) return digits.slice(1);
  return digits.slice(TWO_DIGITS.has(digits.slice(0, 2)) ? 2 : 3);
}
