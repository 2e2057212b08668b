// Follows references to their targets.
import { joinBeside } from "./beside-reference.ts";
import { below, isObject, lookUp, toObject, type Place, type Written } from "./json.ts";

/** The object at a place, or at the target of its reference; undefined if that is not an object. */
export function resolve(from: Written, within: readonly string[] = []): Place | undefined {
  const { pointer, node } = from;
  // As a schema, true allows everything and false nothing (JSON Schema 2020-12, core, section 4.3.2).
  if (typeof node === "boolean") return { ...from, node: node ? {} : { not: {} }, usedAt: pointer };
  const { $ref: target, ...beside } = toObject(node);
  if (typeof target !== "string")
    return isObject(node) ? { ...from, node, usedAt: pointer } : undefined;
  if (within.includes(target)) throw new Error(`${pointer} refers to ${target}, and so to itself`);
  const place = resolve(findTarget(from, target), [...within, target]);
  if (place === undefined) return undefined;
  const joined = joinBeside(from, place, beside);
  const isJoined = place.isJoined === true || joined !== place.node;
  // A reference in a merged schema may not exist in the document.
  const isWritten = from.isJoined !== true || lookUp(from.document, pointer) !== undefined;
  const usedAt = isWritten ? pointer : place.usedAt;
  return { ...place, node: joined, usedAt, isJoined };
}

function findTarget({ document, pointer }: Written, target: string): Written {
  if (!target.startsWith("#"))
    throw new Error(
      `${pointer} refers to ${target}, which is not in the document: bundle it first, for example with redocly bundle`,
    );
  const isPointer = target === "#" || target.startsWith("#/");
  const at = isPointer ? target : findAnchor({ document, pointer: "#", node: document }, target);
  const node = at === undefined ? undefined : lookUp(document, decode(at));
  if (at === undefined || node === undefined)
    throw new Error(`${pointer} refers to ${target}, which is not there`);
  return { document, pointer: at, node };
}

/** The pointer of the schema with this anchor (JSON Schema 2020-12, core, section 8.2.2). */
function findAnchor({ document, pointer, node }: Written, target: string): string | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  const { $anchor, $dynamicAnchor } = toObject(node);
  if ([$anchor, $dynamicAnchor].includes(target.slice("#".length))) return pointer;
  for (const [key, inner] of Object.entries(node)) {
    const found = findAnchor({ document, pointer: below(pointer, key), node: inner }, target);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A reference is a URI, in which a key may be percent-encoded (RFC 6901, section 6). */
function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
