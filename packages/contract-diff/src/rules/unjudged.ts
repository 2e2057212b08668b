// The net below the other rules: a key that none of them knows has changed, so that nobody can tell what it asks of clients.
import { isDeepStrictEqual } from "node:util";
import type { Part, PartKind } from "../surface.ts";
import { schemaKeywords } from "./schema-keywords.ts";

const words = (text: string) => text.split(" ");

const CARRIER = words("description required deprecated schema content example examples");

/** The keys that another rule judges, that are parts of their own, or that bind nothing and are for people. */
const judged: Readonly<Record<Exclude<PartKind, "field" | "member">, readonly string[]>> = {
  document: words("openapi info servers paths components security tags externalDocs"),
  info: words("title summary description termsOfService contact license version"),
  scheme: words("description"),
  server: words("url description"),
  operation: words(
    "tags summary description externalDocs operationId deprecated security parameters requestBody responses",
  ),
  parameter: words("name in").concat(CARRIER),
  body: CARRIER,
  answer: words("headers links").concat(CARRIER),
  header: CARRIER,
  media: words("schema example examples"),
  schema: words(
    "$id $schema $anchor $comment $defs title description externalDocs example examples default deprecated const nullable properties items",
  ).concat(Object.keys(schemaKeywords)),
};

/** Names of the keys that differ and that no other rule is about; extensions (`x-`) bind no client. */
export function findUnjudged(before: Part, after: Part): string[] {
  const kind = before.kind === "field" || before.kind === "member" ? "schema" : before.kind;
  const keys = new Set([...Object.keys(before.node), ...Object.keys(after.node)]);
  return [...keys].filter(
    (key) =>
      !key.startsWith("x-") &&
      !judged[kind].includes(key) &&
      !isDeepStrictEqual(before.node[key], after.node[key]),
  );
}
