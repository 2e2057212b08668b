// Paths of a document that end in the key of one thing.
import type { JsonObject } from "@call-media/contract-diff";

/** A path up to and including one of its parameters. */
export interface Item {
  /** `/things/{thingId}` of `/things/{thingId}/parts`. */
  readonly template: string;
  /** `/things`. */
  readonly collection: string;
  /** `thingId`. */
  readonly name: string;
}

/** The items of a path, the outermost first. */
export function toItems(path: string): readonly Item[] {
  const steps = path.split("/");
  return steps.flatMap((step, index) => {
    const [, name] = /\{([^}]+)\}[^{]*$/.exec(step) ?? [];
    const collection = steps.slice(0, index).join("/");
    // `{Sid}.json` and `{id}:cancel` act on the thing with that key.
    const key = step.slice(0, step.lastIndexOf("}") + 1);
    return name === undefined ? [] : [{ template: `${collection}/${key}`, collection, name }];
  });
}

/** True if two paths are equal. Some documents end paths in a slash, or in the response format. */
export const isAt = (path: string, other: string): boolean => toBare(path) === toBare(other);

const toBare = (path: string): string => path.replace(/\/+$/, "").replace(/\.(?:json|xml)$/, "");

const NAME = /\{[^}]+\}/g;

/** True if two paths are equal except for parameter names: `/things/{id}` and `/things/{thingId}`. */
export const isSame = (path: string, other: string): boolean =>
  isAt(path.replaceAll(NAME, "{}"), other.replaceAll(NAME, "{}"));

/** Renames the path values of one path to the parameter names of another path for the same thing. */
export function toNamesOf(path: string, other: string, values: JsonObject): JsonObject {
  const names = toItems(path).map(({ name }) => name);
  return Object.fromEntries(
    toItems(other).map(({ name }, at) => [names[at] ?? name, values[name]]),
  );
}

/** True if a path ends in the key of one thing. */
export const isItemPath = (path: string): boolean => toBare(path).endsWith("}");

/** The collection that a creation adds to. Some creations have a path below it, such as `/networks/create`. */
export const toCollection = (path: string): string => path.replace(/[/:](?:create|new|add)$/i, "");

/** "thing" for `/v1/things`: all paths of a collection contain the same word. */
export const toWord = (path: string): string =>
  (
    toBare(path)
      .split("/")
      .findLast((step) => step !== "" && !step.startsWith("{")) ?? ""
  )
    .toLowerCase()
    .replace(/ies$/, "y")
    .replace(/(ss|x|sh|[nrt]ch)es$/, "$1")
    .replace(/s$/, "");

/** A possible key of a thing. An empty one, or one of dots, would lead to the collection. */
export const isKey = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && !/^\.{0,2}$/.test(value));

/** The path parameters in a Location header, if it ends in this path. */
export function fromLocation(template: string, location: string | null): JsonObject | undefined {
  const names = toItems(template).map(({ name }) => name);
  const source = template.replaceAll(/\{[^}]+\}|[.*+?^$()|[\]\\]/g, (one) =>
    one.startsWith("{") ? "([^/]+)" : `\\${one}`,
  );
  const path = toBare((location ?? "").replace(/[?#].*$/s, ""));
  try {
    const [, ...values] = new RegExp(`${source}$`).exec(path) ?? [];
    return values.length === 0
      ? undefined
      : Object.fromEntries(values.map((value, at) => [names[at], decodeURIComponent(value)]));
  } catch {
    return undefined; // a badly encoded address leads nowhere
  }
}
