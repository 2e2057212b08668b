// Paths of a document that end in the key of one thing.
import type { JsonObject } from "@call-media/contract-diff";

/** A path as far as one of its parameters. */
export interface Item {
  /** `/things/{thingId}` of `/things/{thingId}/parts`. */
  readonly template: string;
  /** `/things`. */
  readonly collection: string;
  /** `thingId`. */
  readonly name: string;
}

/** The outermost first. */
export function toItems(path: string): readonly Item[] {
  const steps = path.split("/");
  return steps.flatMap((step, index) => {
    const [, name] = /\{([^}]+)\}[^{]*$/.exec(step) ?? [];
    const collection = steps.slice(0, index).join("/");
    // `{Sid}.json` and `{id}:cancel` are about the thing of that key.
    const key = step.slice(0, step.lastIndexOf("}") + 1);
    return name === undefined ? [] : [{ template: `${collection}/${key}`, collection, name }];
  });
}

/** Whether two paths are one: some documents end each in a slash, or in the format of the answer. */
export const isAt = (path: string, other: string): boolean => toBare(path) === toBare(other);

const toBare = (path: string): string => path.replace(/\/+$/, "").replace(/\.(?:json|xml)$/, "");

const NAME = /\{[^}]+\}/g;

/** Whether two paths are one, whatever their parameters are called: `/things/{id}` and `/things/{thingId}`. */
export const isSame = (path: string, other: string): boolean =>
  isAt(path.replaceAll(NAME, "{}"), other.replaceAll(NAME, "{}"));

/** Values of a path by the names that they have in another one, which is the same. */
export function toNamesOf(path: string, other: string, values: JsonObject): JsonObject {
  const names = toItems(path).map(({ name }) => name);
  return Object.fromEntries(
    toItems(other).map(({ name }, at) => [names[at] ?? name, values[name]]),
  );
}

/** Whether a path ends in the key of one thing. */
export const isItemPath = (path: string): boolean => toBare(path).endsWith("}");

/** Where a creation adds to: some stand below their collection, as `/networks/create`. */
export const toCollection = (path: string): string => path.replace(/[/:](?:create|new|add)$/i, "");

/** "thing" of `/v1/things`: the same word stands in all paths of a collection. */
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

/** What may be the key of one thing: an empty one, or one of dots, leads to the collection above it. */
export const isKey = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && !/^\.{0,2}$/.test(value));

/** Path parameters, where the end of a Location is such a path. */
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
    return undefined; // an address that is badly encoded leads nowhere
  }
}
