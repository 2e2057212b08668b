// What else a request names beside its thing: no write may be about a thing of others that stands in a body or a query.
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

  /** The key in a body that is not about the thing of the path: one of others, or one that differs from the path's. */
  function findOther(operation: Operation, ask: Ask): string | undefined {
    const { body } = placeFields(ask);
    const path = toPath(operation, ask);
    const own = isChange(operation) ? targetOf(operation) : undefined;
    for (const item of own === undefined ? itemsOf(operation) : [own])
      for (const fields of listObjects(body)) {
        const isOther = (key: unknown): boolean =>
          own === undefined
            ? others.wasThere(operation, key) &&
              !places.has(fillPath(item.template, { ...path, [item.name]: key }))
            : isKey(key) && toText(key) !== toText(path[own.name]);
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
    // A change of a thing may refer to others.
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

  /** The name and the key of another thing that a request names. */
  return (operation: Operation, ask: Ask): string | undefined =>
    findOther(operation, ask) ?? findNamed(operation, ask);
}

/** A body, the object that it wraps, and each of several. */
const listObjects = (body: unknown): readonly JsonObject[] =>
  [body]
    .flat()
    .filter(isObject)
    .flatMap((one) => {
      const inner = Object.values(one);
      return [one, ...(inner.length === 1 ? inner.flat().filter(isObject) : [])];
    });

/** The values inside of a value, each with the name above it. */
const listNamed = (value: unknown, name = ""): readonly (readonly [string, unknown])[] =>
  Array.isArray(value)
    ? value.flatMap((one: unknown) => listNamed(one, name))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, inner]) => listNamed(inner, key))
      : [[name, value]];
