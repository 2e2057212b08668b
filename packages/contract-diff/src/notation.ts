// Equivalent notations of OpenAPI 3.0 and 3.1.
import type { JsonObject, Place } from "./json.ts";

/** OpenAPI 3.1, "Considerations for File Uploads" and "Migrating binary descriptions from OAS 3.0". */
const ENCODED: ReadonlyMap<unknown, JsonObject> = new Map([
  ["binary", { contentMediaType: "application/octet-stream" }],
  ["byte", { contentEncoding: "base64" }],
  ["base64", { contentEncoding: "base64" }],
  ["base64url", { contentEncoding: "base64url" }],
]);

/** Replaces `nullable` in a 3.1 document, which does not constrain anything there. An extension stays with the schema. */
const MARK = "x-marked-nullable";

/** The schema in the notation of OpenAPI 3.1, except for `nullable` of 3.0. */
export function toCurrent(place: Place): Place {
  const { nullable, ...node } = place.node;
  if (nullable === undefined || isOf30(place)) return { ...place, node: toEncoded(place.node) };
  return { ...place, node: { ...toEncoded(node), ...(nullable === true && { [MARK]: true }) } };
}

function toEncoded(node: JsonObject): JsonObject {
  const encoded = node["type"] === "string" ? ENCODED.get(node["format"]) : undefined;
  if (encoded === undefined) return node;
  const { format: _, ...rest } = node;
  return { ...encoded, ...rest };
}

const isOf30 = ({ document }: Place): boolean => String(document["openapi"]).startsWith("3.0.");

/** True for a 3.1 schema that allows null in the notation of 3.0. */
export const isMarkedNullable = ({ node }: Place): boolean => node[MARK] === true;
