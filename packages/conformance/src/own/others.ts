// Things that existed before a run, by collection and key, as responses showed them.
import { isObject } from "@call-media/contract-diff";
import type { Answer } from "../ask.ts";
import type { Creations, CreationsSetting } from "../creations.ts";
import type { Operation } from "../document/document.ts";
import { isAt, isKey, toItems, toWord } from "../items.ts";
import { at, toText } from "../values/places.ts";

export type Others = ReturnType<typeof createOthers>;

export function createOthers(
  { document, lists }: Pick<CreationsSetting, "document" | "lists">,
  { itemsOf, lifecycleOf, targetOf }: Creations,
) {
  /** All texts and numbers of responses that may be keys, and those that are keys for certain. */
  const [seen, keys] = [new Set<string>(), new Set<string>()];
  /** All texts of rows: which of their fields is the key may be a guess. */
  const texts = new Set<string>();

  const see = (path: string, key: unknown, isSure = false): void => {
    if (!isKey(key)) return;
    const name = `${toWord(path)} ${toText(key)}`;
    seen.add(name);
    if (isSure) keys.add(name);
  };

  return {
    /** `word`: of the collection, from `toWord`. */
    has: (word: string, key: unknown): boolean => seen.has(`${word} ${toText(key)}`),
    /** Like `has`, only for what an address had, or a row as its key. */
    hasKey: (word: string, key: unknown): boolean => keys.has(`${word} ${toText(key)}`),
    /** True if any thing in any collection has the key. */
    hasAnywhere: (key: unknown): boolean =>
      [...seen].some((one) => one.endsWith(` ${toText(key)}`)),
    /** A thing below one of the run's own also belongs to the run. */
    wasThere: (operation: Operation, key: unknown): boolean => {
      const { path } = operation;
      const listed = document.operations.get(lifecycleOf(operation)?.list ?? "")?.path ?? path;
      const collections = [path, listed, ...itemsOf(operation).map(({ collection }) => collection)];
      const isBelowOwn =
        targetOf(operation) !== undefined && collections.every((one) => isAt(path, one));
      return (
        !isBelowOwn &&
        isKey(key) &&
        collections
          .map((one) => `${toWord(one)} ${toText(key)}`)
          .some((one) => seen.has(one) || texts.has(one))
      );
    },
    noteRead: ({ operation, json, ask }: Answer): void => {
      for (const { collection, name } of toItems(operation.path))
        see(collection, ask.path?.[name], true);
      const { items, key = [] } = lists.get(operation.id) ?? {};
      const isKnown = items !== undefined && !key.includes("*");
      for (const row of isKnown ? [at(json, items)].flat() : listDeep(json))
        if (isObject(row)) {
          for (const value of isKnown ? Object.values(row) : [])
            if (typeof value === "string") texts.add(`${toWord(operation.path)} ${value}`);
          for (const name of isKnown ? key : Object.keys(row)) {
            see(operation.path, isKnown ? at(row, name) : row[name], isKnown);
            // `{ things: { t0: { ... } } }`
            if (!isKnown && isObject(row[name])) see(operation.path, name);
          }
        }
    },
  };
}

const listDeep = (value: unknown): readonly unknown[] =>
  typeof value === "object" && value !== null
    ? [value, ...Object.values(value).flatMap(listDeep)]
    : [];
