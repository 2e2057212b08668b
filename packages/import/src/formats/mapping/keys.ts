// Checks of what stands under the keys of a mapping. All throw `ImportError`, naming the key.
import { toKind } from "@call-media/store/values";
import { ImportError } from "../../import-error.ts";
import { isObject } from "../../json.ts";

/** Throws `ImportError` for what is no object, and for one with other keys. */
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

/** A regular expression of a mapping. Throws `ImportError`, naming the key. */
export function parsePattern(key: string, value: unknown, flags = ""): RegExp | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.length > MAX_PATTERN)
    fail(`${key}: must be a regular expression of at most ${MAX_PATTERN} characters`);
  try {
    return new RegExp(value, flags);
  } catch (error) {
    return fail(`${key}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
