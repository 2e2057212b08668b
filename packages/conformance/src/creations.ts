// Creations: which operations of a document create things, and the address and key of each thing by its response.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type Answer, fillPath, SAFE_METHODS } from "./ask.ts";
import type { ApiDocument, Operation } from "./document/document.ts";
import {
  fromLocation,
  isAt,
  isKey,
  isSame,
  type Item,
  toCollection,
  toItems,
  toWord,
} from "./items.ts";
import { findKeyName, successView } from "./relations/shape.ts";
import { at, toText } from "./values/places.ts";
import type { ListInfo, Relations } from "./relations/relations.ts";

/** One address of something that was created. A thing may have several. */
export interface Place {
  /** Its path template in the document, which ends in its key. */
  readonly template: string;
  readonly path: JsonObject;
  readonly address: string;
  readonly key: unknown;
  /** The response that contained the key. */
  readonly answer: Answer;
}

export interface CreationsSetting {
  readonly document: ApiDocument;
  readonly relations: Relations;
  readonly lists: ReadonlyMap<string, ListInfo>;
}

export type Creations = ReturnType<typeof createCreations>;

export function createCreations({ document, relations: { rules, safe }, lists }: CreationsSetting) {
  const operations = [...document.operations.values()];

  const isReading = ({ id, method }: Operation): boolean =>
    SAFE_METHODS.has(method) ||
    safe.includes(id) ||
    rules.some(({ kind, of }) => kind === "signIn" && of.includes(id));

  const lifecycleOf = ({ id }: Operation) =>
    rules.filter((rule) => rule.kind === "lifecycle").find(({ of }) => of.includes(id));

  /** Paths of the things that an operation creates: below its own path, or as its lifecycle says. Empty if it creates nothing. */
  function itemsOf(operation: Operation): readonly Item[] {
    if (operation.method !== "POST" || isReading(operation)) return [];
    const named = Object.values(lifecycleOf(operation) ?? {});
    const found = operations.flatMap((one) =>
      toItems(one.path).filter(
        (item) =>
          isAt(toCollection(operation.path), item.collection) ||
          // The list of a lifecycle does not end in a key. The last key in its path is that of the parent.
          (named.includes(one.id) && isAt(one.path, item.template)),
      ),
    );
    return [...new Map(found.map((item) => [item.template, item])).values()];
  }

  /** True if the document or a relation says that an operation creates a thing. */
  const isCreating = (operation: Operation): boolean =>
    operation.method === "POST" &&
    (itemsOf(operation).length > 0 ||
      operation.responses.some(({ status }) => status === "201") ||
      rules.some(
        (rule) =>
          (rule.kind === "perCaller" && rule.made === operation.id) ||
          (rule.kind === "echo" && rule.body !== undefined && rule.of.includes(operation.id)),
      ));

  /** `PUT /pet` changes the pet that its body names, if `/pet/{petId}` returns a pet. */
  const inBody = ({ method, path, body }: Operation): Item | undefined => {
    const items = operations.flatMap((one) => toItems(one.path));
    const item = items.find(({ collection }) => isAt(collection, path));
    const isChange = (method === "PUT" || method === "PATCH") && item !== undefined;
    const names = isChange ? keyNamesOf(item) : [];
    const isNamed = body?.media.some(
      ({ schema }) =>
        schema !== undefined &&
        names.some((name) => document.schemas.view(schema).properties.has(name)),
    );
    return isNamed ? item : undefined;
  };

  /** The thing that an operation acts on, directly or on something below it. */
  const targetOf = (operation: Operation): Item | undefined =>
    inBody(operation) ?? toItems(operation.path).at(-1);

  /** PUTs found not to create a thing at an unused key. */
  const refusing = new Set<Operation>();

  /** The operation that creates the things another one acts on: a POST, or else the PUT at keys that clients choose. */
  const creatorOf = (operation: Operation): Operation | undefined => {
    const { template } = targetOf(operation) ?? {};
    return (
      operations.find((one) => itemsOf(one).some((item) => item.template === template)) ??
      (template === undefined || readerAt(template) === undefined
        ? undefined
        : operations.find(
            (one) => one.method === "PUT" && isAt(one.path, template) && !refusing.has(one),
          ))
    );
  };

  /** The operation that returns the thing at an address. */
  const readerAt = (template: string): Operation | undefined =>
    operations.find(({ method, path }) => method === "GET" && isSame(path, template));

  /** True if the run cannot create anything to try an operation on. */
  function isOutOfReach(operation: Operation, asked: readonly Operation[] = []): boolean {
    if (isReading(operation) || asked.includes(operation)) return false;
    if (targetOf(operation) === undefined) return !isCreating(operation);
    const creator = creatorOf(operation);
    // A PUT that creates needs only the parent of its thing.
    const parent = creator === operation ? parentOf(operation) : undefined;
    if (creator === operation && parent === undefined) return false;
    const next = parent === undefined ? creator : creatorOf(parent);
    return next === undefined || isOutOfReach(next, [...asked, operation]);
  }

  /** An operation on the parent of another one's thing. */
  function parentOf(operation: Operation): Operation | undefined {
    const above = toItems(targetOf(operation)?.template ?? "").at(-2);
    return above && operations.find((one) => targetOf(one)?.template === above.template);
  }

  const listedKeyOf = ({ collection }: Item): string | undefined => {
    const list = operations.find(({ id, path }) => isAt(path, collection) && lists.has(id));
    return lists.get(list?.id ?? "")?.key.find((name) => name !== "*");
  };

  /** The key of a thing by its own schema, for things without a list. */
  const shownKeyOf = ({ template, collection, name }: Item): string | undefined => {
    const reader = readerAt(template);
    const view = reader && successView(document, reader);
    return view && findKeyName([...view.properties.keys()], name, collection);
  };

  const keyOf = (item: Item): string | undefined => listedKeyOf(item) ?? shownKeyOf(item);

  /** Names of the key in a body. */
  const keyNamesOf = (item: Item): readonly string[] => [item.name, keyOf(item) ?? "id"];

  /** True if this is the name of the key in bodies of an operation. */
  const isKeyName = (operation: Operation, name: string): boolean =>
    [...itemsOf(operation), targetOf(operation) ?? []]
      .flat()
      .some(
        (item) => keyNamesOf(item).includes(name) || name.endsWith(`/${keyOf(item) ?? item.name}`),
      );

  /** A key in an address is a text, where rows may have a number. */
  function toTyped(item: Item, written: unknown): unknown {
    const reader = readerAt(item.template);
    const view = reader && successView(document, reader);
    const schema = view?.properties.get(keyOf(item) ?? "");
    const isNumber =
      schema !== undefined && document.schemas.view(schema).types.includes("integer");
    return isNumber && /^\d{1,15}$/.test(toText(written)) ? Number(written) : written;
  }

  function listPlaces(answer: Answer): readonly Place[] {
    const { operation, ask, headers } = answer;
    const items = itemsOf(operation);
    const located = items.map(({ template }) => fromLocation(template, headers.get("Location")));
    const first = located.find((path) => path !== undefined);
    return items.flatMap((item, index) => {
      const written = Object.values(located[index] ?? first ?? {}).at(-1);
      const key = written === undefined ? findKey(answer, item) : toTyped(item, written);
      const path: JsonObject = { ...ask.path, ...located[index], [item.name]: key };
      const { template } = item;
      return toItems(template).every(({ name }) => isKey(path[name]))
        ? [{ template, path, address: fillPath(template, path), key, answer }]
        : [];
    });
  }

  const found = new Map<Answer, unknown>();

  function findKey(answer: Answer, item: Item): unknown {
    if (found.has(answer)) return found.get(answer);
    const { json, ask, operation } = answer;
    const read = (value: unknown): unknown => {
      if (!isObject(value)) return undefined;
      const listed = at(value, listedKeyOf(item) ?? item.name);
      const key =
        listed ?? value[findKeyName(Object.keys(value), item.name, item.collection) ?? ""];
      return isKey(key) ? key : undefined;
    };
    const sent = Object.entries(isObject(ask.body) ? ask.body : {}).filter(
      ([, value]) => !isObject(value),
    );
    const shows = (value: unknown): boolean =>
      isObject(value) && sent.some(([name]) => Object.hasOwn(value, name));
    const inner = Object.entries(isObject(json) ? json : {}).filter(
      ([name, value]) =>
        read(value) !== undefined &&
        (shows(value) ||
          USUAL.test(name) ||
          // The response uses the same wrapper member as the request.
          isObject(at(ask.body, name)) ||
          toWord(name) === toWord(operation.path)),
    );
    if (isKey(json)) return json;
    // An object with a key next to the sent fields is another thing: `{ name, owner: { id } }`.
    const given =
      read(json) ?? (shows(json) || inner.length !== 1 ? undefined : read(inner[0]?.[1]));
    // A service that returns no key has accepted the client's key.
    const own = keyNamesOf(item)
      .map((name) => at(ask.body, name))
      .find(isKey);
    return given ?? own;
  }

  return {
    isReading,
    lifecycleOf,
    itemsOf,
    isCreating,
    creatorOf,
    readerAt,
    parentOf,
    targetOf,
    /** True if the thing that the operation acts on is named only in the body. */
    isNamedInBody: (operation: Operation): boolean => inBody(operation) !== undefined,
    isOutOfReach,
    keyNamesOf,
    isKeyName,
    listPlaces,
    findKey,
    /** A PUT that creates nothing is not tried again. */
    noteNoCreation: (operation: Operation): void => void refusing.add(operation),
    /** Stores the key of something that only its list shows. */
    noteKey: (answer: Answer, key: unknown): void => {
      found.set(answer, key);
    },
  };
}

/** Common names of the member that wraps a thing in a response. */
const USUAL = /^(?:data|result|item|entity|record|resource|response|payload)$/i;
