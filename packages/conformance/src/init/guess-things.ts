// Guesses about things: their representation in a list, their life from creation to deletion, and their bytes.
import type { ApiDocument, Operation } from "../document/document.ts";
import { isAt, isItemPath, toCollection, toItems } from "../items.ts";
import { bodyFields } from "../values/fields.ts";
import { findOperations } from "../values/patches.ts";
import {
  isSameThing,
  itemOperation,
  rowView,
  successView,
  toListInfo,
} from "../relations/shape.ts";
import type { Choice, Known } from "./known.ts";

/** The list shows the same thing as an operation below it, or as one with the same schema. */
export function* guessSame({ document, operation, list }: Known): Generator<Choice> {
  const all = [...document.operations.values()];
  const below = itemOperation(document, operation)?.id;
  const listed = new Set(all.map((one) => itemOperation(document, one)?.id));
  const alike = all.find(
    (one) =>
      one.method === "GET" &&
      isItemPath(one.path) &&
      !listed.has(one.id) &&
      isListOf(document, operation, one),
  );
  const of = below ?? (list === undefined ? undefined : alike?.id);
  if (of !== undefined) yield [{ kind: "sameAs", fields: { of, as: operation.id } }];
}

/** True if the rows of a list are the things that another operation returns singly. */
function isListOf(document: ApiDocument, list: Operation, reader: Operation): boolean {
  const [view, thing] = [successView(document, list), successView(document, reader)];
  const info = toListInfo(document, list, undefined);
  const row = view && info && rowView(document, view, info.items);
  return row !== undefined && thing !== undefined && isSameThing(document, row, thing);
}

/** POST and GET at a collection; GET, PATCH or PUT, and DELETE below it. Some APIs change by POST, or at the collection itself. */
export function* guessLives({ document, operation }: Known): Generator<Choice> {
  const { id, method } = operation;
  if (method !== "POST") return;
  const path = toCollection(operation.path);
  const all = [...document.operations.values()];
  const below = all.filter((one) => {
    const item = toItems(one.path).at(-1);
    return item !== undefined && isAt(item.collection, path) && isAt(item.template, one.path);
  });
  const by = (wanted: string) => below.find((one) => one.method === wanted);
  const changing = all.filter(
    (one) => below.includes(one) || (isAt(one.path, path) && one.method !== "POST"),
  );
  // A PATCH without documented fields does not show what it changes.
  const byField = (wanted: string) =>
    changing.find((one) => one.method === wanted && bodyFields({ document }, one).size > 0);
  const read = by("GET");
  if (read === undefined) return;
  const list =
    all.find((one) => one.method === "GET" && isAt(one.path, path)) ??
    all.find((one) => one.method === "GET" && isListOf(document, one, read));
  // Operations, as in JSON Patch, are no fields of the thing.
  const isByField = (one: Operation | undefined) =>
    one && findOperations({ document }, one) === undefined;
  const patch = byField("PATCH");
  const update =
    (isByField(patch) ? patch : undefined) ?? byField("PUT") ?? byField("POST") ?? patch;
  const remove = by("DELETE");
  const life = {
    of: id,
    read: read.id,
    ...(update !== undefined && { update: update.id }),
    ...(remove !== undefined && { delete: remove.id }),
    ...(list !== undefined && { list: list.id }),
  };
  yield [{ kind: "lifecycle", fields: life }];
  yield [{ kind: "echo", fields: { of: id, body: "all" } }];
}

/** Operations that return bytes, not text in a known format. */
export function* guessBytes({ operation: { id, method, responses } }: Known): Generator<Choice> {
  const media = responses.find(({ status }) => status.startsWith("2"))?.media ?? [];
  const isBytes = media.length > 0 && media.every(({ type }) => !/json|text|xml|html/i.test(type));
  if (method === "GET" && isBytes) yield [{ kind: "bytes", fields: { of: id } }];
}
