// The rules on how a parameter is written into a request, or a header into a response.
import { deepEqual } from "fast-equals";
import { toList, type JsonObject } from "../json.ts";
import type { Part, Rule } from "../parts.ts";
import { inside } from "../places.ts";
import { rateShift, shiftOfSets } from "./shift.ts";

/** The name of a path parameter is not part of the URL. */
export const pathParameterName: Rule = {
  kinds: ["parameter"],
  keys: () => ["name"],
  message: "generated clients call it by another name",
  rate: ({ node: before }, { node: after }) =>
    before["in"] === "path" && before["name"] !== after["name"] ? "breaking" : "none",
};

export const serialization: Rule = {
  kinds: ["parameter", "header"],
  keys: () => ["style", "explode", "content"],
  message: "its value is written differently",
  rate: (before, after) => {
    const [old, now] = [toSerialization(before), toSerialization(after)];
    const isSingle = [before, after].every(hasSingleValue);
    return deepEqual(old, now) || (isSingle && old.style === now.style) ? "none" : "breaking";
  },
};

/**
 * The serialisation of a parameter, with defaults for missing keys (OpenAPI 3.1, parameter object). A header has the defaults of a header
 * parameter.
 */
function toSerialization({ node }: Part) {
  const { in: place = "header", style, explode, content } = node;
  // As JSON, a text is quoted.
  if (content !== undefined) return { style: "content", isExploded: false };
  const inForce = style ?? (place === "query" || place === "cookie" ? "form" : "simple");
  return { style: inForce, isExploded: explode ?? inForce === "form" };
}

/** A parameter that may now be repeated: sent once, it is a list of one. */
export const severalValues: Rule = {
  kinds: ["parameter"],
  keys: () => ["schema"],
  message: "it may be sent several times now",
  rate: (before, after) => (takesSeveral(before, after) ? "additive" : "none"),
};

/** True if a single value became the items of a list that is sent in the same way. */
export function takesSeveral(before: Part, after: Part): boolean {
  const { style, isExploded } = toSerialization(after);
  const schema = inside(after, "schema")?.node ?? {};
  const isList = toList(schema["type"]).join() === "array" && Number(schema["minItems"] ?? 0) <= 1;
  const isRepeated = after.node["in"] === "query" && style === "form" && isExploded === true;
  return before.direction === "request" && isRepeated && isList && hasSingleValue(before);
}

/** True if no value can be exploded, because it is neither an array nor an object. */
function hasSingleValue(part: Part): boolean {
  const types = toList(inside(part, "schema")?.node["type"]);
  return types.length > 0 && !types.includes("array") && !types.includes("object");
}

const PERMISSIONS = ["allowReserved", "allowEmptyValue"] as const;

export const permissions: Rule = {
  kinds: ["parameter"],
  keys: () => PERMISSIONS,
  message: "whether it may be sent empty, or with reserved characters, has changed",
  rate: ({ node: before, direction }, { node: after }) =>
    rateShift(shiftOfSets(toPermissions(before), toPermissions(after)), direction),
};

const toPermissions = (parameter: JsonObject) =>
  PERMISSIONS.filter((permission) => parameter[permission] === true);
