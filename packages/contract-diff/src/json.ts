// Reading parsed JSON of which nothing is known, and places in it by JSON Pointer (RFC 6901).

export type JsonObject = Record<string, unknown>;

/** Whether the value is an object that has keys: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an object without keys. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is an array, else the value alone, and nothing for undefined: `x-decision` comes in all three forms. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The pointer of a key below a pointer; `~` and `/` of the key are escaped. */
export function below(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The keys of a pointer such as `#/paths/~1Token/post`; none for `#`. Throws an Error when it starts otherwise. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "#") return [];
  if (!pointer.startsWith("#/"))
    throw new Error(`${pointer} is no JSON Pointer: it must start with #/`);
  return pointer
    .slice("#/".length)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What stands at a pointer; undefined where nothing does. Throws an Error when the pointer is none. */
export function lookUp(root: unknown, pointer: string): unknown {
  let found = root;
  for (const key of parsePointer(pointer)) {
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

/** Something that is written in a document, with its references. */
export interface Written {
  readonly document: JsonObject;
  readonly pointer: string;
  readonly node: unknown;
  /** Whether it is in what a reference leads to, joined with what stands beside that reference: then its pointer is not its alone. */
  readonly isJoined?: boolean;
}

/** Something that is written in a document and has keys. */
export interface Nested extends Written {
  readonly node: JsonObject;
}

/** An object that is written in a document, where it is after references were followed. */
export interface Place extends Nested {
  /** Where the reference stands by which it was reached; elsewhere its own pointer. */
  readonly usedAt: string;
}
