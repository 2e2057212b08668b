// Finds other things that a request names: no write may act on a thing of others that its body or query names.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type Ask, fillPath, placeFields } from "../ask.ts";
import type { Creations, Place } from "../creations.ts";
import type { Operation } from "../document/document.ts";
import { isKey, toWord } from "../items.ts";
import type { Sources } from "../relations/sources.ts";
import { at, toText } from "../values/places.ts";
import { createAbout } from "./about.ts";
import type { Others } from "./others.ts";

interface NamingSetting {
  readonly creations: Creations;
  readonly others: Others;
  readonly sources: Sources;
  /** The things of the run, by address. */
  readonly places: ReadonlyMap<string, Place>;
}

export function createNaming({ creations, others, sources, places }: NamingSetting) {
  const { itemsOf, keyNamesOf, targetOf } = creations;
  const { isChange, toPath } = createAbout(creations);

  /** A key in the body of a thing other than the path's: one of others, or one that differs from the path's. */
  function findOther(operation: Operation, ask: Ask): string | undefined {
    const { body } = placeFields(ask);
    const path = toPath(operation, ask);
    const own = isChange(operation) ? targetOf(operation) : undefined;
    for (const item of own === undefined ? itemsOf(operation) : [own])
      for (const { fields, isOneOfMany } of listObjects(body)) {
        const isOwn = (key: unknown): boolean =>
          places.has(fillPath(item.template, { ...path, [item.name]: key }));
        const isOther = (key: unknown): boolean => {
          if (own === undefined) return others.wasThere(operation, key) && !isOwn(key);
          if (!isKey(key) || toText(key) === toText(path[own.name])) return false;
          // The elements of a list may also be parts of the thing, such as `fields: [{ name }]`.
          return !isOneOfMany || (others.hasKey(toWord(own.collection), key) && !isOwn(key));
        };
        const name = keyNamesOf(item).find((one) => isOther(at(fields, one)));
        if (name !== undefined) return `${name} ${toText(at(fields, name))}`;
      }
    return undefined;
  }

  /** An action below a collection that creates nothing may change any thing that its query or body names. */
  function findNamed(operation: Operation, ask: Ask): string | undefined {
    const { body, query } = placeFields(ask);
    const [, ...above] = operation.path.split("/").slice(0, -1);
    const words = itemsOf(operation).length > 0 ? [] : above.map(toWord);
    // The body of a change may refer to other things.
    const mine = new Set([...places.values()].map(({ key }) => toText(key)));
    const found = listNamed([
      query,
      isChange(operation) || typeof body === "string" ? undefined : body,
    ]).find(
      ([name, value]) =>
        // Any small number is the key of something.
        (typeof value === "string" || sources.of(operation, name) !== undefined) &&
        !mine.has(toText(value)) &&
        words.some((word) => others.has(word, value)),
    );
    return found?.join(" ");
  }

  /** The name and key of another thing that a request names. */
  return (operation: Operation, ask: Ask): string | undefined =>
    findOther(operation, ask) ?? findNamed(operation, ask);
}

interface Inner {
  readonly fields: JsonObject;
  /** True for an element of a list. */
  readonly isOneOfMany: boolean;
}

/** A body, and what it wraps: an object, or each element of a list. */
const listObjects = (body: unknown): readonly Inner[] =>
  toInner(body).flatMap((one) => {
    const [inner, ...others] = Object.values(one.fields);
    return [one, ...(others.length === 0 ? toInner(inner) : [])];
  });

const toInner = (value: unknown): readonly Inner[] =>
  [value]
    .flat()
    .filter(isObject)
    .map((fields) => ({ fields, isOneOfMany: Array.isArray(value) }));

/** All inner values, each with the name of its field. */
const listNamed = (value: unknown, name = ""): readonly (readonly [string, unknown])[] =>
  Array.isArray(value)
    ? value.flatMap((one: unknown) => listNamed(one, name))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, inner]) => listNamed(inner, key))
      : [[name, value]];
