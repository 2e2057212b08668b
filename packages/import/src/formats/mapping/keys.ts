// Checks the values of a mapping's keys. All functions throw `ImportError`, naming the key.
import { toKind } from "@call-media/store/values";
import { RE2JS } from "re2js";
import { ImportError } from "../../import-error.ts";
import { isObject } from "../../json.ts";

/** Throws `ImportError` for anything but an object with these keys. */
export function toObject(
  key: string,
  value: unknown,
  keys: readonly string[],
): Record<string, unknown> {
  if (!isObject(value)) fail(`${key}: must be an object, not ${toKind(value)}`);
  const unknown = Object.keys(value).find((name) => !keys.includes(name));
  if (unknown !== undefined)
    fail(`${key}: "${unknown}" is not a key; known are ${keys.join(", ")}`);
  return value;
}

export function toTexts(key: string, value: unknown): readonly string[] {
  if (!Array.isArray(value) || !isTexts(value)) fail(`${key}: must be an array of strings`);
  return value;
}

export const isTexts = (list: readonly unknown[]): list is readonly string[] =>
  list.every((item) => typeof item === "string");

export function fail(message: string): never {
  throw new ImportError(message);
}

const MAX_PATTERN = 1_000;

/**
 * Takes a time that grows with the text alone, whatever it is: a RegExp of `(a+)+` would never end. Its members are named here, as the
 * types of re2js need TypeScript 5.7.
 */
export interface Pattern {
  test(text: string): boolean;
  exec(text: string): unknown;
  namedGroups(): object;
}

/** A regular expression of a mapping. Throws `ImportError`, naming the key. */
export function parsePattern(
  key: string,
  value: unknown,
  { ignoresCase = false }: { readonly ignoresCase?: boolean } = {},
): Pattern | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.length > MAX_PATTERN)
    fail(`${key}: must be a regular expression of at most ${MAX_PATTERN} characters`);
  try {
    const flags = ignoresCase ? RE2JS.CASE_INSENSITIVE : 0;
    return RE2JS.compile(RE2JS.translateRegExp(value), flags);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return fail(
      `${key}: ${fault.replace(/^error parsing regexp: /, "")}: patterns are those of RE2, which has no (?=, no (?! and no \\1`,
    );
  }
}

/** The names of its captures. */
export const listCapturesOf = (pattern: Pattern): readonly string[] =>
  Object.keys(pattern.namedGroups());

/** The text it fits and its captures, as of `RegExp.exec`. */
export function findMatch(pattern: Pattern, text: string): Found | undefined {
  return (pattern.exec(text) as Found | null) ?? undefined; // as RegExp.exec has it
}

type Found = readonly (string | undefined)[] & {
  readonly groups?: Readonly<Record<string, string | undefined>>;
};
