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

/** The document after these steps. */
export function edit(document: JsonObject, steps: readonly Step[]): JsonObject {
  const edited = structuredClone(document);
  for (const step of steps) step(edited);
  return edited;
}
