// Reads parsed JSON of unknown structure, and places in it by JSON Pointer (RFC 6901).

export type JsonObject = Record<string, unknown>;

/** True for an object with keys, not for null or an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Arrays unchanged, an empty list for undefined, and any other value as the only item: `x-decision` comes in all three forms. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The pointer of a key below a pointer. Escapes `~` and `/` in the key. */
export function below(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The keys of a pointer such as `#/paths/~1Token/post`; none for `#`. Throws an Error if it starts with anything else. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "#") return [];
  if (!pointer.startsWith("#/"))
    throw new Error(`${pointer} is not a JSON Pointer: it must start with #/`);
  return pointer
    .slice("#/".length)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a pointer; undefined if it does not exist. Throws an Error if the pointer is invalid. */
export function lookUp(root: unknown, pointer: string): unknown {
  let found = root;
  for (const key of parsePointer(pointer)) {
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

/** A node of a document whose references are not resolved. */
export interface Written {
  readonly document: JsonObject;
  readonly pointer: string;
  readonly node: unknown;
  /** True within the target of a reference that was joined with siblings. Several joined nodes may then share the pointer. */
  readonly isJoined?: boolean;
}

/** A node with keys. */
export interface Nested extends Written {
  readonly node: JsonObject;
}

/** An object in a document, after references were followed. */
export interface Place extends Nested {
  /** The pointer of the reference that led to it; without a reference, its own pointer. */
  readonly usedAt: string;
}
