// Things that existed before a run, by collection and key, as responses showed them.
import { isObject } from "@call-media/contract-diff";
import type { Answer } from "../ask.ts";
import type { Creations, CreationsSetting } from "../creations.ts";
import type { Operation } from "../document/document.ts";
import { isAt, isItemPath, isKey, toItems, toWord } from "../items.ts";
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

  /** `pets` of an owner have the keys of pets, where the document has those at a path of their own. */
  const words = new Set(
    [...document.operations.values()].flatMap(({ path }) =>
      toItems(path).map(({ collection }) => toWord(collection)),
    ),
  );

  const see = (path: string, key: unknown, isSure = false): void => {
    if (!isKey(key)) return;
    const name = `${toWord(path)} ${toText(key)}`;
    seen.add(name);
    if (isSure) keys.add(name);
  };

  /** Any value of a response may be a key if its list is not known, except the numbers of a thing that shows the key of its address elsewhere. */
  function seeAll({ operation: { path }, json, ask }: Answer): void {
    const isElsewhere = (name: string): boolean =>
      toWord(name) !== toWord(path) && words.has(toWord(name));
    const rows = listDeep(json, isElsewhere).filter(isObject);
    const own = isItemPath(path) ? ask.path?.[toItems(path).at(-1)?.name ?? ""] : undefined;
    const names = new Set(
      rows.flatMap((row) => Object.keys(row).filter((name) => toText(row[name]) === toText(own))),
    );
    for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
      const isKeyName = names.size === 0 || name === "id" || names.has(name);
      if (typeof value !== "number" || isKeyName) see(path, value);
      // `{ things: { t0: { ... } } }`
      if (isObject(value)) see(path, name);
    }
  }

  /** True if the key stands where rows of the list have theirs: then no other text of a row is one. */
  function isKeyOfRows(json: unknown, key: unknown, list: Operation | undefined): boolean {
    const [name, ...others] = lists.get(list?.id ?? "")?.key ?? [];
    if (name === undefined || name === "*" || others.length > 0) return false;
    const [inner] = isObject(json) ? Object.values(json).filter(isObject) : [];
    return [json, inner].some((one) => isObject(one) && toText(at(one, name)) === toText(key));
  }

  return {
    /** `word`: of the collection, from `toWord`. */
    has: (word: string, key: unknown): boolean => seen.has(`${word} ${toText(key)}`),
    /** Like `has`, only for what an address had, or a row as its key. */
    hasKey: (word: string, key: unknown): boolean => keys.has(`${word} ${toText(key)}`),
    /** True if any thing in any collection has the key. */
    hasAnywhere: (key: unknown): boolean =>
      [...seen].some((one) => one.endsWith(` ${toText(key)}`)),
    /** A thing below one of the run's own also belongs to the run. `json`: the body of a response that shows the thing. */
    wasThere: (operation: Operation, key: unknown, json?: unknown): boolean => {
      const { path } = operation;
      const list = document.operations.get(lifecycleOf(operation)?.list ?? "");
      const listed = list?.path ?? path;
      const collections = [path, listed, ...itemsOf(operation).map(({ collection }) => collection)];
      const isBelowOwn =
        targetOf(operation) !== undefined && collections.every((one) => isAt(path, one));
      return (
        !isBelowOwn &&
        isKey(key) &&
        collections
          .map((one) => `${toWord(one)} ${toText(key)}`)
          .some((one) => seen.has(one) || (texts.has(one) && !isKeyOfRows(json, key, list)))
      );
    },
    noteRead: (answer: Answer): void => {
      const { operation, json, ask } = answer;
      for (const { collection, name } of toItems(operation.path))
        see(collection, ask.path?.[name], true);
      const { items, key = [] } = lists.get(operation.id) ?? {};
      if (items === undefined || key.includes("*")) return seeAll(answer);
      for (const row of [at(json, items)].flat().filter(isObject)) {
        for (const value of Object.values(row))
          if (typeof value === "string") texts.add(`${toWord(operation.path)} ${value}`);
        for (const name of key) see(operation.path, at(row, name), true);
      }
    },
  };
}

const listDeep = (value: unknown, isElsewhere: (name: string) => boolean): readonly unknown[] =>
  typeof value === "object" && value !== null
    ? [
        value,
        ...Object.entries(value)
          .filter(([name]) => !isElsewhere(name))
          .flatMap(([, inner]) => listDeep(inner, isElsewhere)),
      ]
    : [];
