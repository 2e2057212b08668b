// Values found wherever they are repeated, however they are written there.

/** Always of the same length, so that it reveals nothing. */
export const MASK = "[redacted]";

/** From this number of digits on, people write spaces and signs in a number. */
const MIN_DIGITS = 6;

/** Masks in every text of a value; a number that repeats one becomes null. */
export type Mask = <Value>(value: Value) => Value;

export function createMask(values: Iterable<string>): Mask {
  const patterns = toPatterns(values);
  const maskText = (text: string) => {
    // One letter may be written in two ways. Text without masked values stays unchanged.
    const normal = text.normalize("NFC");
    const masked = patterns.reduce((rest, pattern) => rest.replaceAll(pattern, MASK), normal);
    return masked === normal ? text : masked;
  };
  const mask = (value: unknown): unknown => {
    if (typeof value === "string") return maskText(value);
    if (typeof value === "number") return maskText(String(value)) === String(value) ? value : null;
    if (Array.isArray(value)) return value.map(mask);
    return typeof value === "object" && value !== null ? maskFields(value) : value;
  };
  // The days are folders, so that no value may take a datetime away.
  const maskFields = (value: object) =>
    Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name === "datetime" ? one : mask(one)]),
    );
  return <Value>(value: Value) => mask(value) as Value; // the same fields
}

/** Longest first: a name may be part of an address. */
function toPatterns(values: Iterable<string>): readonly RegExp[] {
  return [...new Set(values)]
    .toSorted((one, other) => other.length - one.length)
    .map((value) => new RegExp(toPattern(value.normalize("NFC")), "giu"));
}

function toPattern(value: string): string {
  const digits = value.match(/\d/g) ?? [];
  const isNumber = digits.length >= MIN_DIGITS && !/\p{L}/u.test(value);
  return isNumber ? digits.join(String.raw`[^\p{L}\p{N}]*`) : escape(value);
}

const escape = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
