// Siblings of a reference. OpenAPI 3.0 ignores them; in 3.1 a value must satisfy both the siblings and the target.
import { deepEqual } from "fast-equals";
import { toList, toObject, type JsonObject, type Nested, type Written } from "./json.ts";

/** Keywords that do not constrain values. `nullable` is not here: it constrains, and means something else inside `allOf`. */
const SAID: ReadonlySet<string> = new Set([
  "$comment",
  "default",
  "deprecated",
  "description",
  "example",
  "examples",
  "externalDocs",
  "readOnly",
  "title",
  "writeOnly",
]);

/** True if a keyword annotates a schema without constraining values. */
export const isSaid = (keyword: string): boolean => SAID.has(keyword) || keyword.startsWith("x-");

/** The target of a reference, joined with the reference's siblings. */
export function joinBeside(from: Written, target: Nested, beside: JsonObject): JsonObject {
  if (Object.keys(beside).length === 0) return target.node;
  // In all versions, the reference of a path item is one of its keys.
  if (/^#\/(paths|webhooks)\/[^/]+$/.test(from.pointer)) return { ...target.node, ...beside };
  if (String(from.document["openapi"]).startsWith("3.0.")) return target.node;
  const isSchema = !/^#\/components\/(?!schemas\/)[^/]+\/[^/]+$/.test(target.pointer);
  if (isSchema) return joinSchemas(target.node, beside);
  const { description = target.node["description"] } = beside;
  return description === undefined ? target.node : { ...target.node, description };
}

/** Merges two schemas that must both hold into one, as far as one can express both. The rest becomes another member of `allOf`. */
export function joinSchemas(target: JsonObject, beside: JsonObject): JsonObject {
  const rest = Object.entries(beside).filter(([key]) => isClash(key, target, beside));
  const joined = { ...target };
  for (const [key, value] of Object.entries(beside)) {
    if (!isClash(key, target, beside)) joined[key] = joinValues(key, target[key], value);
  }
  if (rest.length === 0) return joined;
  return { ...joined, allOf: [...toList(joined["allOf"]), Object.fromEntries(rest)] };
}

function joinValues(key: string, target: unknown, beside: unknown): unknown {
  if (key === "required" || key === "allOf") return [...toList(target), ...toList(beside)];
  if (key !== "properties") return beside;
  const fields = toObject(target);
  const both = Object.entries(toObject(beside)).map(([name, field]) => {
    const isAnother = Object.hasOwn(fields, name) && !deepEqual(fields[name], field);
    return [name, isAnother ? { allOf: [fields[name], field] } : field];
  });
  return { ...fields, ...Object.fromEntries(both) };
}

/** Keywords that depend on their siblings, but not on keywords of a referenced schema. */
const TOGETHER = [
  ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
  ["items", "prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems"],
  ["if", "then", "else"],
];

/** True if merging the keyword into the other schema would change its meaning. */
function isClash(key: string, target: JsonObject, beside: JsonObject): boolean {
  if (isSaid(key) || key.startsWith("$") || key === "required" || key === "allOf") return false;
  const group = TOGETHER.find((keys) => keys.includes(key));
  if (group === undefined)
    return Object.hasOwn(target, key) && !deepEqual(target[key], beside[key]);
  const [theirs, own] = [target, beside].map((node) => group.filter((name) => name in node));
  if (theirs?.length === 0) return false;
  // More properties may be added, and `unevaluatedProperties` also considers those of the reference.
  const isOpen = theirs?.every((name) => name === "properties") ?? false;
  return !(
    isOpen && own?.every((name) => name === "properties" || name === "unevaluatedProperties")
  );
}
