// Swagger 2.0, which many services still publish: read as OpenAPI 3.0, with the lines of what was written.
import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { isObject, type JsonObject } from "../json.ts";

/** True for `swagger: "2.0"`, and for `2.0` without quotes, which YAML reads as a number. */
export const isSwagger = ({ swagger }: JsonObject): boolean => /^2(?:\.0)?$/.test(String(swagger));

/** @throws Error with the fault if it cannot be converted. */
export function toOpenApi(swagger: JsonObject): JsonObject {
  // The conversion changes its input.
  const converted = upgradeFromTwoToThree({ ...structuredClone(swagger), swagger: "2.0" });
  if (!isObject(converted)) throw new Error("nothing is left of it");
  return converted;
}

const MOVED: Readonly<Record<string, string>> = {
  schemas: "definitions",
  parameters: "parameters",
  requestBodies: "parameters",
  responses: "responses",
  securitySchemes: "securityDefinitions",
};

/** The keys in Swagger 2.0 of a place in the converted document. */
export function toSwaggerKeys(keys: readonly string[]): readonly string[] {
  const [first, kind = "", ...rest] = keys;
  const moved = first === "components" ? MOVED[kind] : undefined;
  if (moved !== undefined) return [moved, ...rest];
  // A response has its schema in it, without a media type.
  const at = keys.indexOf("content");
  return at > 0 && keys[at - 2] === "responses"
    ? [...keys.slice(0, at), ...keys.slice(at + 2)]
    : keys;
}
