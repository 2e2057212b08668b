// What OpenAPI 3.0 and 3.1 write differently and mean alike.
import type { JsonObject, Place } from "./json.ts";

/** OpenAPI 3.1, "Considerations for File Uploads" and "Migrating binary descriptions from OAS 3.0". */
const ENCODED: ReadonlyMap<unknown, JsonObject> = new Map([
  ["binary", { contentMediaType: "application/octet-stream" }],
  ["byte", { contentEncoding: "base64" }],
  ["base64", { contentEncoding: "base64" }],
  ["base64url", { contentEncoding: "base64url" }],
]);

/** What `nullable` of a document of 3.1 becomes, where it binds nothing: an extension goes along with the schema. */
const MARK = "x-marked-nullable";

/** The schema in the words of OpenAPI 3.1, but for `nullable` of 3.0. */
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

/** True of a schema of 3.1 that says null as 3.0 does. */
export const isMarkedNullable = ({ node }: Place): boolean => node[MARK] === true;
