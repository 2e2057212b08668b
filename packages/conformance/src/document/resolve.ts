// Resolves the references of a document, and pointers into it.
import { below, isObject, type JsonObject, lookUp } from "@call-media/contract-diff";

export interface Resolved {
  readonly pointer: string;
  readonly node: unknown;
}

export const toPointer = below;

/** A reference is a URI, in which a key may be percent-encoded (RFC 6901, section 6). */
export function toTarget(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/**
 * The node at a pointer. A lone reference is followed to its end; the caller merges one with siblings. OpenAPI 3.0 ignores the siblings.
 *
 * @throws Error if the node does not exist or the references form a cycle.
 */
export function resolve(document: JsonObject, pointer: string): Resolved {
  let at = toTarget(pointer);
  for (const seen = new Set<string>(); !seen.has(at);) {
    seen.add(at);
    const node = lookUp(document, at);
    if (node === undefined) throw new Error(`${at} is not in the document`);
    const target = isObject(node) ? node["$ref"] : undefined;
    if (typeof target !== "string" || (hasSiblings(node) && isModern(document)))
      return { pointer: at, node };
    at = toTarget(target);
  }
  throw new Error(`${pointer} refers to itself`);
}

/** Like {@link resolve}, for nodes that are not schemas. OpenAPI allows only a summary and a description next to such a reference. */
export function resolveObject(
  document: JsonObject,
  pointer: string,
): { pointer: string; node: JsonObject } {
  const { node, pointer: at } = resolve(document, pointer);
  const target = isObject(node) ? node["$ref"] : undefined;
  if (typeof target === "string") return resolveObject(document, target);
  return { pointer: at, node: isObject(node) ? node : {} };
}

export const isModern = (document: JsonObject): boolean =>
  !String(document["openapi"]).startsWith("3.0");

const hasSiblings = (node: unknown): boolean => isObject(node) && Object.keys(node).length > 1;

export const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);

/** The examples beside a schema: of a parameter, a header or a body. */
export function examplesOf(document: JsonObject, pointer: string): unknown[] {
  const { node } = resolveObject(document, pointer);
  const named = keysOf(node["examples"]).map(
    (name) => resolveObject(document, toPointer(`${pointer}/examples`, name)).node,
  );
  // OpenAPI 3.2 has `dataValue` for the value before serialisation.
  const values = named.map((example) => example["dataValue"] ?? example["value"]);
  return [...(node["example"] === undefined ? [] : [node["example"]]), ...values].filter(
    (value) => value !== undefined,
  );
}
