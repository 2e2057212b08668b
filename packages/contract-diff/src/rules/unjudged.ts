// The net below the other rules: a key that none of them knows has changed, so that nobody can tell what it asks of clients.
import { deepEqual } from "fast-equals";
import type { Part, PartKind } from "../parts.ts";
import { isSameAt } from "../same.ts";
import { CONDITIONS, schemaKeywords, spellingsOf } from "./schema-keywords.ts";

const words = (text: string) => text.split(" ");

const CARRIER = words("description required deprecated schema content example examples");

/** The keys that another rule judges, that are parts of their own, or that bind nothing and are for people. */
const judged: Readonly<Record<Exclude<PartKind, "field" | "member">, readonly string[]>> = {
  document: words(
    "openapi $self info servers paths webhooks components security tags externalDocs",
  ),
  info: words("title summary description termsOfService contact license version"),
  // A hint for people (OpenAPI 3.1, security scheme object).
  scheme: words("description bearerFormat scheme name flows deprecated"),
  server: words("url name description"),
  operation: words(
    "tags summary description externalDocs operationId deprecated security parameters requestBody responses",
  ),
  parameter: words("name in style explode allowReserved allowEmptyValue").concat(CARRIER),
  body: CARRIER,
  answer: words("summary headers links").concat(CARRIER),
  header: words("style explode").concat(CARRIER),
  link: words("description"),
  media: words("schema itemSchema example examples"),
  schema: words(
    "$id $schema $anchor $comment $defs title description externalDocs example examples default deprecated nullable readOnly writeOnly properties items discriminator xml",
  ).concat(Object.keys(schemaKeywords).flatMap(spellingsOf)),
};

/** Names of the keys that differ and that no other rule is about; extensions (`x-`) bind no client. */
export function findUnjudged(before: Part, after: Part): string[] {
  const kind = before.kind === "field" || before.kind === "member" ? "schema" : before.kind;
  const keys = new Set([...Object.keys(before.node), ...Object.keys(after.node)]);
  const isOther = (key: string) =>
    // What a link sends may have any names, which are no words of OpenAPI.
    key === "requestBody" && kind === "link"
      ? !deepEqual(before.node[key], after.node[key])
      : !isSameAt(before, after, key);
  return [...keys].filter((key) => {
    const isBoth = before.node[key] !== undefined && after.node[key] !== undefined;
    const isJudged = judged[kind].includes(key) && !(isBoth && CONDITIONS.includes(key));
    return !key.startsWith("x-") && !isJudged && isOther(key);
  });
}
