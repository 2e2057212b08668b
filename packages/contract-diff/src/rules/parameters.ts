// The rules on how the value of a parameter is written into a request, or that of a header into an answer.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../json.ts";
import type { Rule } from "./rules.ts";
import { rateShift, shiftOfSets } from "./shift.ts";

/** In the address its name is not to be seen. */
export const pathParameterName: Rule = {
  kinds: ["parameter"],
  keys: () => ["name"],
  message: "generated clients call it by another name",
  rate: ({ node: before }, { node: after }) =>
    before["in"] === "path" && before["name"] !== after["name"] ? "breaking" : "none",
};

export const serialization: Rule = {
  kinds: ["parameter", "header"],
  keys: () => ["style", "explode"],
  message: "its value is written differently",
  rate: ({ node: before }, { node: after }) =>
    isDeepStrictEqual(toSerialization(before), toSerialization(after)) ? "none" : "breaking",
};

/** What is left out has a default (OpenAPI 3.1, parameter object); a header has the one of a parameter in a header. */
function toSerialization({ in: place = "header", style, explode }: JsonObject) {
  const inForce = style ?? (place === "query" || place === "cookie" ? "form" : "simple");
  return [inForce, explode ?? inForce === "form"];
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
