// Valid bodies of an operation, best first: the last successful one, examples, generated from its schema, and copied from rows.
import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Operation } from "../document/document.ts";
import { isAt, toCollection, toItems } from "../items.ts";
import type { Run } from "../run.ts";
import { knownValues, valuesFrom } from "./candidates.ts";
import { bodyFields, mediaOf, toShown } from "./fields.ts";
import { toUuid, withFresh } from "./fresh.ts";
import { make, rename, typeOf } from "./make.ts";
import { parseMoment } from "./moments.ts";
import { makePatches } from "./patches.ts";
import { at, listLeaves, toIdentity, toText, withoutValue, withValue } from "./places.ts";

export interface RightBody {
  readonly value: unknown;
  /** True if no value is made up or guessed. */
  readonly isSure: boolean;
}

/** `path`: the path of the request, with which the body must agree. */
export function bodiesOf(
  run: Run,
  operation: Operation,
  path: JsonObject = {},
): readonly RightBody[] {
  const known = run.found.bodies.get(operation.id);
  const { schema, examples = [] } = mediaOf(operation) ?? {};
  if (mediaOf(operation) === undefined) return [];
  const { schemas } = run.document;
  const toNew = toFresh(run, operation);
  const told = toBoth((isAlone) =>
    examples.map((value) => {
      const body = withKnown(run, operation, { value, isAlone });
      return { ...body, value: toNew(body.value) };
    }),
  );
  // A generated body fits the schema and may still break a rule outside it. A copied body keeps such rules.
  const [full, least, bare] = ([false, true, "bare"] as const).map((isLeast) =>
    schema === undefined ? {} : make(schemas, schema, isLeast),
  );
  const made = [
    ...makePatches(run, operation),
    full,
    ...likeOthers(run, operation, bare),
    ...(isObject(full) ? [least, bare] : []),
  ];
  const fresh = unique(made).map(toNew);
  const invented = toBoth((isAlone) =>
    fresh.map((value) => ({
      value: withKnown(run, operation, { value, isAlone }).value,
      isSure: false,
    })),
  );
  const finish = (isKeyed: boolean) => (body: RightBody) => {
    const value = withPath(run, operation, { value: body.value, path });
    return { ...body, value: withKey(run, operation, { value, path, isKeyed }) };
  };
  const before = known === undefined ? [] : [{ value: known, isSure: true }];
  return [
    ...before.map(finish(hasKey(run, operation, known))),
    ...[...told, ...invented].map(finish(false)),
    // Adds a key chosen by the client, or from the path, if bodies without one were refused.
    ...(keyPlaces(run, operation).length > 0 ? invented.map(finish(true)) : []),
  ];
}

/** First without lists of things of others: to be in such a list may change them. */
const toBoth = (list: (isAlone: boolean) => readonly RightBody[]): readonly RightBody[] => [
  ...new Map(
    [true, false].flatMap(list).map((body) => [toIdentity(body.value), body] as const),
  ).values(),
];

const unique = (values: readonly unknown[]): readonly unknown[] => [
  ...new Map(values.map((one) => [toIdentity(one), one])).values(),
];

const keyPlaces = (run: Run, operation: Operation): readonly string[] =>
  [...bodyFields(run, operation).keys()].filter((place) => isGiven(run, operation, place));

const hasKey = (run: Run, operation: Operation, value: unknown): boolean =>
  keyPlaces(run, operation).some((place) => at(value, place) !== undefined);

interface Keyed {
  readonly value: unknown;
  readonly path: JsonObject;
  /** True if the key is sent although no schema requires it. */
  readonly isKeyed: boolean;
}

/** A body for an existing thing has the key of the path. A new thing has no key, or a new one if the client must choose it. */
export function withKey(run: Run, operation: Operation, { value, path, isKeyed }: Keyed): unknown {
  if (!isObject(value)) return value;
  const item = run.own.targetOf(operation);
  const schema = mediaOf(operation)?.schema;
  const least = schema === undefined ? {} : make(run.document.schemas, schema, true);
  const isNew = run.own.itemsOf(operation).length > 0;
  return keyPlaces(run, operation).reduce<unknown>((body, place) => {
    const isNeeded = at(least, place) !== undefined;
    if (isNew)
      return isKeyed || isNeeded
        ? withValue(body, place, toFreshKey(run, operation, place))
        : withoutValue(body, place);
    const isSent =
      isKeyed || isNeeded || at(body, place) !== undefined || run.own.isNamedInBody(operation);
    const key = item === undefined ? undefined : path[item.name];
    return isSent && key !== undefined
      ? withValue(body, place, toTyped(run, operation, { place, key }))
      : body;
  }, value);
}

/** A key that came in a URL is a text, where bodies may have a number. */
function toTyped(
  run: Run,
  operation: Operation,
  { place, key }: { readonly place: string; readonly key: unknown },
): unknown {
  const schema = bodyFields(run, operation).get(place);
  if (typeof key !== "string" || schema === undefined) return key;
  const isNumber = ["integer", "number"].includes(typeOf(run.document.schemas.view(schema)));
  return isNumber && /^\d{1,15}$/.test(key) ? Number(key) : key;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An unused key of the form that the schema requires. */
export const toFreshKey = (run: Run, operation: Operation, place: string): unknown =>
  makeKey(run, bodyFields(run, operation).get(place) ?? "");

/** An unused key by its schema. */
export function makeKey(run: Run, schema: string): unknown {
  const key = inventKey(run, schema);
  // A schema may be too narrow for a unique name, or have an example: that may be the key of an existing thing.
  const isMade = typeof key === "number" || UUID.test(toText(key)) || run.own.isMarked(key);
  if (isMade) run.own.choose(key);
  return key;
}

function inventKey(run: Run, schema: string): unknown {
  const { schemas } = run.document;
  const name = run.nextName();
  const digits = createHash("sha256").update(name).digest("hex");
  const view = schemas.view(schema);
  if (["integer", "number"].includes(typeOf(view)))
    return 1_000_000_000 + (Number.parseInt(digits.slice(0, 12), 16) % 1_000_000_000);
  if (view.said["format"] === "uuid") return toUuid(digits);
  return rename(schemas, schema, { value: make(schemas, schema), name });
}

/** Copies the values of the path into the body. */
function withPath(
  run: Run,
  operation: Operation,
  { value, path }: Pick<Keyed, "value" | "path">,
): unknown {
  const names = new Set(toItems(operation.path).map(({ name }) => name));
  return [...bodyFields(run, operation).keys()].reduce<unknown>((body, place) => {
    const name = place.split("/").at(-1) ?? "";
    const isSaid = names.has(name) && path[name] !== undefined && at(body, place) !== undefined;
    return isSaid && !isGiven(run, operation, place)
      ? withValue(body, place, toTyped(run, operation, { place, key: path[name] }))
      : body;
  }, value);
}

/** A body with identifiers that the service returned. `isAlone`: without lists of them, as far as they are of others. */
function withKnown(
  run: Run,
  operation: Operation,
  { value: body, isAlone }: { readonly value: unknown; readonly isAlone: boolean },
): RightBody {
  const fields = bodyFields(run, operation);
  let isSure = true;
  const made = new Set([...run.made.values()].map(({ value }) => value));
  const others = new Set<unknown>();
  const isOther = (item: unknown): boolean =>
    others.has(item) || (isObject(item) && Object.values(item).some((one) => others.has(one)));
  const visit = (value: unknown, { place, name, above, beside }: Spot): unknown => {
    if (isGiven(run, operation, place)) return value;
    const source = run.sources.of(operation, name);
    // A plain word may also be the name of a wrapper around the fields.
    const isTold = source !== undefined && (!source.isGuess || typeof value !== "object");
    const isWhole = place === name && (isTold || isIdentifier(run, name, fields.get(place)));
    if (!isWhole && Array.isArray(value))
      return toList(
        value.map((one: unknown) => visit(one, { place, name: `${name}/*`, above, beside })),
      );
    if (!isWhole && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => {
          const within = place === "" ? key : `${place}/${key}`;
          return [
            key,
            visit(inner, {
              place: within,
              name: key,
              above: name.replace("/*", ""),
              beside: value,
            }),
          ];
        }),
      );
    const isReference = above !== "" && /^(?:g?id|uuid|key)$/i.test(name);
    const known = isReference
      ? valuesFrom(
          run,
          run.sources.named(typeof beside["type"] === "string" ? beside["type"] : above),
        )
      : knownValues(run, operation, name);
    const isKey = isReference || source !== undefined || isIdentifier(run, name, fields.get(place));
    if (isKey && (known.length === 0 || isReference || source?.isGuess === true)) isSure = false;
    const found = isKey ? (known[0] ?? value) : value;
    if (isReference && !made.has(found)) others.add(found);
    return found;
  };
  const toList = (items: readonly unknown[]): readonly unknown[] =>
    isAlone && items.some(isOther) ? [] : items;
  const value = visit(body, { place: "", name: "", above: "", beside: {} });
  return { value, isSure };
}

/** A value for a field, with references to existing things. */
export const withReferences = (
  run: Run,
  operation: Operation,
  [place, value]: readonly [place: string, value: unknown],
): unknown =>
  at(withKnown(run, operation, { value: withValue({}, place, value), isAlone: true }).value, place);

interface Spot {
  readonly place: string;
  readonly name: string;
  /** The name of the enclosing object. */
  readonly above: string;
  readonly beside: JsonObject;
}

function isIdentifier(run: Run, name: string, schema: string | undefined): boolean {
  const format =
    schema === undefined ? undefined : run.document.schemas.view(schema).said["format"];
  return format === "uuid" || /(?:^|_|[a-z])(?:id|Id|ID)$/.test(name);
}

/** True if the field is the key of the thing that this operation creates or acts on. */
function isGiven(run: Run, operation: Operation, place: string): boolean {
  // A nested key belongs to another thing.
  const isField = !place.includes("/") || bodyFields(run, operation).has(place);
  if (isField && run.own.isKeyName(operation, place)) return true;
  const { list } = run.own.lifecycleOf(operation) ?? {};
  const keys = list === undefined ? [] : (run.listInfo(list)?.key ?? []);
  const source = run.sources.of(operation, place);
  const isOwn = source?.operation === operation.id || source?.operation === list;
  return keys.includes(place) || (source !== undefined && !source.isGuess && isOwn);
}

/** The rows of the list that a creation adds to, by the places of a body. */
function rowsOf(run: Run, operation: Operation): readonly JsonObject[] {
  const { list = listAt(run, operation.path) } = run.own.lifecycleOf(operation) ?? {};
  const places = [...bodyFields(run, operation).keys()];
  const rows = run.found.lists.get(list ?? "")?.rows ?? [];
  return rows.map((row) => toFlat(toShown(places, row)));
}

/** Gives a new thing other values in place of those that only one row has. */
function toFresh(run: Run, operation: Operation): (body: unknown) => unknown {
  if (run.own.itemsOf(operation).length === 0) return (body) => body;
  const leaves = rowsOf(run, operation).flatMap((row) => [
    ...new Map(listLeaves(row).map((leaf) => [toIdentity(leaf), leaf])).values(),
  ]);
  const counts = Map.groupBy(leaves, toIdentity);
  const fresh = {
    schemas: run.document.schemas,
    countOf: (place: string, value: unknown) => counts.get(toIdentity([place, value]))?.length ?? 0,
    sharedAt: (place: string) =>
      [...counts.values()].flatMap(([first, second]) =>
        first !== undefined && second !== undefined && first[0] === place ? [first[1]] : [],
      ),
    isReference: (place: string) => mayRefer(run, operation, place),
    nextName: run.nextName,
  };
  const { schema } = mediaOf(operation) ?? {};
  return (body) => withFresh(fresh, { place: "", schema }, body);
}

/** True if a field may name other things. What others call the thing names the thing itself. */
function mayRefer(run: Run, operation: Operation, place: string): boolean {
  const name =
    place
      .replace(/(?:\/\*)+$/, "")
      .split("/")
      .at(-1) ?? "";
  const schema = bodyFields(run, operation).get(place);
  return (
    run.sources.of(operation, name) !== undefined ||
    (isIdentifier(run, name, schema) && !/^(?:external|foreign|source|client|legacy)/i.test(name))
  );
}

/**
 * Copies the thing to be changed, or a row of the same list as a new thing. Copies satisfy rules that are not in the schema. `least`: what a
 * body must have, and rows may not show.
 */
function likeOthers(run: Run, operation: Operation, least: unknown): readonly unknown[] {
  const fields = bodyFields(run, operation);
  const isNew = run.own.itemsOf(operation).length > 0;
  const mine = isNew ? undefined : run.own.find(operation)?.answer.json;
  const { list = listAt(run, operation.path) } = run.own.lifecycleOf(operation) ?? {};
  const rows = isNew ? rowsOf(run, operation) : [toFlat(toShown([...fields.keys()], mine ?? {}))];
  const [first = {}] = rows;
  const [row] = run.found.lists.get(list ?? "")?.rows ?? [];
  const own = run.listInfo(list ?? "")?.key.map((place) => toIdentity(at(row, place))) ?? [];
  // A map may repeat what the service sets in the row: its key, and moments.
  const isSet = (place: string, value: unknown): boolean =>
    isNew &&
    !fields.has(place) &&
    (own.includes(toIdentity(value)) || parseMoment(value) !== undefined);
  const shown = Object.entries(first).filter(
    ([place, value]) => value !== null && !isSet(place, value),
  );
  return shown.length === 0
    ? []
    : [shown.reduce<unknown>((body, [place, value]) => withValue(body, place, value), least)];
}

/** Maps from names to values as one field for each name. */
const toFlat = (shown: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(shown).flatMap(([place, value]) =>
      isObject(value) && Object.keys(value).every((name) => !name.includes("/"))
        ? Object.entries(value).map(([name, one]) => [`${place}/${name}`, one] as const)
        : [[place, value] as const],
    ),
  );

/** The list that a creation adds to, by its path. */
export const listAt = (run: Run, path: string): string | undefined =>
  [...run.document.operations.values()].find(
    (one) =>
      one.method === "GET" &&
      isAt(one.path, toCollection(path)) &&
      run.listInfo(one.id) !== undefined,
  )?.id;
