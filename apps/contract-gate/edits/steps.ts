// The steps of which an edit of the document is made. A step whose place is not there throws: an edit cannot silently do nothing.
import { isObject, lookUp, parsePointer, type JsonObject } from "@call-media/contract-diff";

/** Changes a parsed document in place. */
export type Step = (document: JsonObject) => void;

interface Place {
  readonly parent: JsonObject;
  readonly key: string;
}

function findPlace(document: JsonObject, pointer: string): Place {
  const parent = lookUp(document, pointer.slice(0, pointer.lastIndexOf("/")));
  const key = parsePointer(pointer).at(-1) ?? "";
  if (!isObject(parent)) throw new Error(`the document has no place for ${pointer}`);
  return { parent, key };
}

function findList(document: JsonObject, pointer: string): unknown[] {
  const list = lookUp(document, pointer);
  if (!Array.isArray(list)) throw new Error(`the document has no list at ${pointer}`);
  return list;
}

/** Replaces what stands at the pointer. */
export function replace(pointer: string, value: unknown): Step {
  return (document) => {
    const { parent, key } = findPlace(document, pointer);
    if (!Object.hasOwn(parent, key)) throw new Error(`the document has nothing at ${pointer}`);
    parent[key] = value;
  };
}

/** Puts a value where nothing stands yet. */
export function add(pointer: string, value: unknown): Step {
  return (document) => {
    const { parent, key } = findPlace(document, pointer);
    if (Object.hasOwn(parent, key)) throw new Error(`the document has ${pointer} already`);
    parent[key] = value;
  };
}

export function remove(pointer: string): Step {
  return (document) => {
    const { parent, key } = findPlace(document, pointer);
    if (!Object.hasOwn(parent, key)) throw new Error(`the document has nothing at ${pointer}`);
    delete parent[key];
  };
}

/** Appends a value to a list. */
export function append(pointer: string, value: unknown): Step {
  return (document) => {
    findList(document, pointer).push(value);
  };
}

/** Takes the values out of a list that are, or whose `$ref` is, the one given. */
export function take(pointer: string, value: string): Step {
  return (document) => {
    const list = findList(document, pointer);
    const at = list.findIndex(
      (item) => item === value || (isObject(item) && item["$ref"] === value),
    );
    if (at < 0) throw new Error(`the list at ${pointer} has no ${value}`);
    list.splice(at, 1);
  };
}

/** Writes the keys of an object in another order: those given first, in their order. */
export function reorder(pointer: string, first: readonly string[]): Step {
  return (document) => {
    const found = lookUp(document, pointer);
    if (!isObject(found)) throw new Error(`the document has no object at ${pointer}`);
    const rest = Object.keys(found).filter((key) => !first.includes(key));
    const ordered = [...first, ...rest].map((key) => [key, found[key]] as const);
    for (const key of Object.keys(found)) delete found[key];
    Object.assign(found, Object.fromEntries(ordered));
  };
}

/** Gives a key another name, in its place. */
export function rename(pointer: string, name: string): Step {
  return (document) => {
    const { parent, key } = findPlace(document, pointer);
    if (!Object.hasOwn(parent, key)) throw new Error(`the document has nothing at ${pointer}`);
    const entries = Object.entries(parent);
    for (const old of Object.keys(parent)) delete parent[old];
    for (const [old, value] of entries) parent[old === key ? name : old] = value;
  };
}
