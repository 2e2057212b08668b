// What stands beside a reference. OpenAPI 3.0 ignores it; in 3.1 a schema must keep both that and what it refers to.
import { deepEqual } from "fast-equals";
import { toList, toObject, type JsonObject, type Nested, type Written } from "./json.ts";

/** What binds no value. `nullable` does, and means another thing inside. */
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

/** Whether a keyword says something about a schema and binds no value. */
export const isSaid = (keyword: string): boolean => SAID.has(keyword) || keyword.startsWith("x-");

/** What a reference leads to, joined with what stands beside it. */
export function joinBeside(from: Written, target: Nested, beside: JsonObject): JsonObject {
  if (Object.keys(beside).length === 0) return target.node;
  // To both versions a path item's reference is one of its keys.
  if (/^#\/(paths|webhooks)\/[^/]+$/.test(from.pointer)) return { ...target.node, ...beside };
  if (String(from.document["openapi"]).startsWith("3.0.")) return target.node;
  const isSchema = !/^#\/components\/(?!schemas\/)[^/]+\/[^/]+$/.test(target.pointer);
  if (isSchema) return joinSchemas(target.node, beside);
  const { description = target.node["description"] } = beside;
  return description === undefined ? target.node : { ...target.node, description };
}

/** Two schemas of which both must hold as one, so far as it can say both; the rest is one more of `allOf`. */
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

/** Keywords that look at what others beside them say, and at nothing in a schema that is referred to. */
const TOGETHER = [
  ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
  ["items", "prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems"],
  ["if", "then", "else"],
];

/** Whether a keyword cannot be put to the others of the schema without another meaning. */
function isClash(key: string, target: JsonObject, beside: JsonObject): boolean {
  if (isSaid(key) || key.startsWith("$") || key === "required" || key === "allOf") return false;
  const group = TOGETHER.find((keys) => keys.includes(key));
  if (group === undefined)
    return Object.hasOwn(target, key) && !deepEqual(target[key], beside[key]);
  const [theirs, own] = [target, beside].map((node) => group.filter((name) => name in node));
  if (theirs?.length === 0) return false;
  // Fields are open to more of them, and what is left unevaluated is looked for in the reference, too.
  const isOpen = theirs?.every((name) => name === "properties") ?? false;
  return !(
    isOpen && own?.every((name) => name === "properties" || name === "unevaluatedProperties")
  );
}
