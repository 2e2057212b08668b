// Sources of values for parameters and body fields, per operation: one name may have many meanings.
import { isObject } from "@call-media/contract-diff";
import type { ApiDocument, Operation } from "../document/document.ts";
import type { View } from "../document/schemas.ts";
import { isAt, toCollection, toItems, toWord } from "../items.ts";
import type { ListInfo, Literals, Relations } from "./relations.ts";
import { toBare } from "../values/places.ts";
import { findKeyName, isSameThing, NAME, rowView, sortsOf, successView } from "./shape.ts";

export interface Source {
  readonly operation: string;
  /** The part after the `#`: a place in the response. */
  readonly written?: string;
  /** The field of the rows with the name of the parameter. */
  readonly field?: string;
  /** For rows of several sorts: only rows with this value at this place are of this sort. */
  readonly sort?: { readonly place: string; readonly is: string };
  /** Set if only a word in a name suggests the source, so that its values may be wrong. */
  readonly isGuess?: true;
}

export interface Sourced {
  readonly operation: Operation;
  readonly name: string;
  readonly source: Source | undefined;
}

export interface Sources {
  readonly of: (operation: Operation, name: string) => Source | undefined;
  /** By the word for a thing: "author" is one of /authors. */
  readonly named: (word: string) => Source | undefined;
  /** Literal values from the relations. */
  readonly literalsOf: (operation: Operation, name: string) => readonly unknown[];
  /** Lists all path parameters, and the query parameters that have a source. */
  readonly list: () => readonly Sourced[];
}

/** Names that do not show what they are the key of. */
const GENERIC = /^(?:id|key|uuid|gid|sid|name|number|slug|code|ref)$/i;
const KEY_END = /[_-]?(?:id|uuid|gid|sid|key|number|slug|code)$/i;

export function createSources(
  document: ApiDocument,
  lists: ReadonlyMap<string, ListInfo>,
  { values }: Relations,
): Sources {
  const operations = [...document.operations.values()];
  const known = new Map<string, Source | undefined>();

  const toldOf = ({ id, path }: Operation, name: string): string | Literals | undefined =>
    values[`${id}.${name}`] ?? values[`${path}.${name}`] ?? values[name];

  const listsOf = (isWanted: (path: string) => boolean): readonly Operation[] =>
    operations.filter(({ id, path }) => isWanted(path) && (lists.get(id)?.key[0] ?? "*") !== "*");

  const rowOf = (list: Operation): View | undefined => {
    const view = successView(document, list);
    return view && rowView(document, view, lists.get(list.id)?.items ?? "");
  };

  const fromList = (list: Operation, name: string, words?: ReadonlySet<string>): Source => {
    const [key] = lists.get(list.id)?.key ?? [];
    // `project_name` of /projects is the `name` of a project, whose key in another path is its id.
    const names = [...(rowOf(list)?.properties.keys() ?? [])];
    const shown = findKeyName(names, name, list.path) ?? "";
    const isNamed = shown !== "" && toBare(name).endsWith(toBare(shown));
    if (isNamed && shown !== key) return { operation: list.id, field: shown };
    const isByName = !isNamed && key === NAME && !/name$/i.test(name);
    // `{reference}`, "a digest or a tag", is the `digest` of a row, if anything.
    const isOdd =
      words !== undefined && !isNamed && !KEY_END.test(name) && toWord(name) !== toWord(list.path);
    const told = isOdd ? names.find((one) => one !== NAME && words.has(one)) : undefined;
    return {
      operation: list.id,
      ...(told !== undefined && { field: told }),
      ...((isByName || isOdd) && { isGuess: true }),
    };
  };

  /** `ticketId` of /tickets/{ticketId} is the field of that name in the response of a POST, or the key from POST /tickets. */
  const fromCreation = (collection: string | undefined, name: string): Source | undefined => {
    const givenBy = (one: Operation) =>
      one.method === "POST" ? (successView(document, one)?.properties ?? new Map()) : new Map();
    const isAbove = ({ path }: Operation): boolean =>
      collection !== undefined && isAt(toCollection(path), collection);
    const creation =
      operations.find(
        (one) => isAbove(one) && findKeyName([...givenBy(one).keys()], name, collection),
      ) ?? operations.find((one) => !GENERIC.test(name) && givenBy(one).has(name));
    return creation && { operation: creation.id };
  };

  /** A link of a success, `parameters: { bookingId: $response.body#/id }`, names the source of a value of its target. */
  const fromLink = ({ id: target, pointer }: Operation, name: string): Source | undefined => {
    for (const { id, responses } of operations)
      for (const { status, links } of responses)
        for (const { operationId, operationRef, parameters } of status.startsWith("2")
          ? links
          : []) {
          if (operationId !== target && operationRef !== pointer) continue;
          const given = isObject(parameters) ? parameters : {};
          const expression = given[name] ?? given[`path.${name}`] ?? given[`query.${name}`];
          const [, written] = /^\$response\.body#\/(.+)$/.exec(String(expression)) ?? [];
          if (written !== undefined) return { operation: id, written };
        }
    return undefined;
  };

  const inPath = (operation: Operation, name: string): Source | undefined => {
    const collection = toItems(operation.path).find((one) => one.name === name)?.collection;
    const [list] = collection === undefined ? [] : listsOf((path) => isAt(path, collection));
    const words = operation.parameters.find((one) => one.in === "path" && one.name === name)?.words;
    if (list !== undefined) return fromList(list, name, words);
    const link = fromLink(operation, name);
    if (link !== undefined) return link;
    const alike = findAlike(operation, name);
    return alike ? { ...fromList(alike, name), isGuess: true } : fromCreation(collection, name);
  };

  const find = (operation: Operation, name: string): Source | undefined => {
    const told = toldOf(operation, name);
    if (typeof told === "string") {
      const [id = "", written] = told.split("#", 2);
      return {
        operation: id,
        ...(written !== undefined && { written: written.replace(/^\//, "") }),
      };
    }
    if (told !== undefined) return undefined;
    const own = takes(operation, name) ? inPath(operation, name) : fromLink(operation, name);
    if (own !== undefined) return own;
    const others = GENERIC.test(name) ? [] : operations.filter((one) => takes(one, name));
    for (const other of others) {
      const source = inPath(other, name);
      if (source !== undefined) return source;
    }
    return guess(operation, name);
  };

  /** Guesses: the list of the same things, a list with a word of the name, and a list whose rows have a field of that name. */
  const guess = (operation: Operation, name: string): Source | undefined => {
    const list =
      findAlike(operation, name) ?? findByWord(operation, name) ?? findBySchema(operation, name);
    const mixed = list === undefined ? findMixed(operation, name) : undefined;
    if (mixed !== undefined) return mixed;
    // A body field that rows also have is a plain value of the thing, not the key of another thing.
    const isKey = takes(operation, name);
    const source = list ? fromList(list, name) : isKey ? fromField(name) : undefined;
    return source && { ...source, isGuess: true };
  };

  /** /pet/findByStatus returns the things of /pet/{petId}: its rows have their schema. */
  const findAlike = (operation: Operation, name: string): Operation | undefined => {
    const item = toItems(operation.path).find((one) => one.name === name);
    const reader = operations.find(
      ({ method, path }) => method === "GET" && item !== undefined && isAt(path, item.template),
    );
    const thing = reader && successView(document, reader);
    if (thing === undefined || thing.properties.size === 0) return undefined;
    return listsOf(() => true).find((list) => {
      const row = rowOf(list);
      return row !== undefined && isSameThing(document, row, thing);
    });
  };

  /** `user_id` and `user` in a body, and /v2/users/{id}: a list of users has such keys, if it has the same users. */
  const findByWord = (operation: Operation, name: string): Operation | undefined =>
    wordsOf(operation, name).flatMap(listsNamed)[0];

  /** Words for the thing that a name is the key of. */
  const wordsOf = (operation: Operation, name: string): readonly string[] => {
    const item = toItems(operation.path).find((one) => one.name === name);
    // The `email` of a new one of /emails is what it is, and no key.
    const isField =
      toWord(name) !== toWord(operation.path) &&
      !operation.parameters.some((one) => one.name === name);
    return [
      item ? toWord(item.collection) : "",
      isField || KEY_END.test(name) ? name.replace(KEY_END, "") : "",
    ].filter((word) => word !== "");
  };

  /** `origin` and `destination` of the schema of /stations/{code} are keys of stations. */
  const findBySchema = (operation: Operation, name: string): Operation | undefined => {
    const pointerOf = ({ parameters }: Operation, wanted: string): string | undefined => {
      const schema = parameters.find((one) => one.name === wanted)?.schema;
      return schema === undefined ? undefined : document.schemas.view(schema).pointer;
    };
    const pointer = pointerOf(operation, name);
    if (pointer?.startsWith("#/components/schemas/") !== true) return undefined;
    for (const other of operations)
      for (const item of toItems(other.path))
        if (pointerOf(other, item.name) === pointer) {
          const [list] = listsOf((path) => isAt(path, item.collection));
          if (list !== undefined) return list;
        }
    return undefined;
  };

  /** /files/{fileId} accepts the keys of those rows of /folders/{id}/items whose `type` is `file`. */
  const findMixed = (operation: Operation, name: string): Source | undefined => {
    const words = new Set(wordsOf(operation, name).map(toWord));
    for (const list of listsOf(() => true)) {
      const view = successView(document, list);
      const sorts = view && sortsOf(document, view, lists.get(list.id)?.items ?? "");
      const is = sorts?.values.find((value) => words.has(toWord(value)));
      if (sorts !== undefined && is !== undefined)
        return { operation: list.id, sort: { place: sorts.place, is }, isGuess: true };
    }
    return undefined;
  };

  const listsNamed = (word: string): readonly Operation[] =>
    listsOf((one) => toWord(one) === toWord(word) && !one.endsWith("}"));

  /** /profiles/{username} accepts the `author/username` of articles. */
  const fromField = (name: string): Source | undefined => {
    if (GENERIC.test(name)) return undefined;
    for (const [id, { items }] of lists) {
      const list = document.operations.get(id);
      const row = list && rowOf(list);
      const inner = [...(row?.properties ?? [])].find(([, pointer]) =>
        document.schemas.view(pointer).properties.has(name),
      );
      const place = row?.properties.has(name) === true ? name : inner && `${inner[0]}/${name}`;
      if (place !== undefined)
        return { operation: id, written: `${items === "" ? "" : `${items}/`}*/${place}` };
    }
    return undefined;
  };

  const of: Sources["of"] = (operation, name) => {
    const key = `${operation.id} ${name}`;
    if (!known.has(key)) known.set(key, find(operation, name));
    return known.get(key);
  };

  return {
    of,
    named: (word) => {
      const [list] = listsNamed(word);
      return list && { ...fromList(list, ""), isGuess: true };
    },
    literalsOf: (operation, name) => {
      const told = toldOf(operation, name);
      return typeof told === "object" ? [told.literal].flat() : [];
    },
    list: () =>
      operations.flatMap((operation) =>
        operation.parameters.flatMap(({ name, in: where }) => {
          const source = of(operation, name);
          const isAsked = where === "path" || (where === "query" && source !== undefined);
          return isAsked ? [{ operation, name, source }] : [];
        }),
      ),
  };
}

const takes = ({ parameters }: Operation, name: string): boolean =>
  parameters.some((one) => one.in === "path" && one.name === name);

/** The notation of relations, which is also the key for created values. */
export const toWritten = ({ operation, written, field }: Source): string =>
  written === undefined && field === undefined ? operation : `${operation}#${written ?? field}`;
