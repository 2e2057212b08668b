// Reading members of a JSON object nobody has vetted: the same value may be text in one export and a number in another.
import { toKind } from "@call-media/store/values";
import { isObject } from "../json.ts";
import { RowFault } from "../source-row.ts";
import { toDigits } from "./big-integers.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The first of the keys that holds an object. */
export function readObject(
  object: JsonObject | undefined,
  ...keys: readonly string[]
): JsonObject | undefined {
  return keys.map((key) => object?.[key]).find(isObject);
}

/** The objects of an array; none when there is no such member. Throws `RowFault` for anything else. */
export function readObjects(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key] ?? [];
  if (!Array.isArray(value)) throw new RowFault(`${key}: must be an array, not ${toKind(value)}`);
  for (const [index, item] of value.entries())
    if (!isObject(item))
      throw new RowFault(`${key}[${index}]: must be an object, not ${toKind(item)}`);
  return value;
}

/** The first of the keys that holds text which is not blank. A number counts as its digits. */
export function readText(
  object: JsonObject | undefined,
  ...keys: readonly string[]
): string | undefined {
  for (const key of keys) {
    const value = object?.[key];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number") return toDigits(key, value);
  }
  return undefined;
}

/** The text of the first key that one of the objects has; of several objects the first. */
export function findText(
  objects: readonly JsonObject[],
  ...keys: readonly string[]
): string | undefined {
  for (const key of keys)
    for (const object of objects) {
      const text = readText(object, key);
      if (text !== undefined) return text;
    }
  return undefined;
}

/** The sum of what is known; undefined when nothing is. */
export function addUp(...seconds: readonly (number | undefined)[]): number | undefined {
  const known = seconds.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}
