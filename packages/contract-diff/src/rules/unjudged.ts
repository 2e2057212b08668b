// The fallback rule: reports a change of a key that no other rule knows, since its impact on clients is unknown.
import { deepEqual } from "fast-equals";
import { below, isObject, type JsonObject } from "../json.ts";
import { PART_KINDS, type Part, type PartKind, type Rule } from "../parts.ts";
import { writtenAt } from "../places.ts";
import { compareValues, type Difference, findDifference } from "../same.ts";
import { CONDITIONS, schemaKeywords, spellingsOf } from "./schema-keywords.ts";
import { tellValues } from "./words.ts";

const words = (text: string) => text.split(" ");

const CARRIER = words("description required deprecated schema content example examples");

/** Keys that another rule judges, that are separate parts, or that are only for people. */
const judged: Readonly<Record<Exclude<PartKind, "field" | "member">, readonly string[]>> = {
  document: words(
    "openapi $self info servers paths webhooks components security tags externalDocs",
  ),
  info: words("title summary description termsOfService contact license version"),
  // A hint for people (OpenAPI 3.1, security scheme object).
  scheme: words("description bearerFormat type scheme name in openIdConnectUrl flows deprecated"),
  server: words("url name description"),
  operation: words(
    "tags summary description externalDocs operationId deprecated security parameters requestBody responses callbacks",
  ),
  parameter: words("name in style explode allowReserved allowEmptyValue").concat(CARRIER),
  body: CARRIER,
  answer: words("summary headers links").concat(CARRIER),
  header: words("style explode").concat(CARRIER),
  link: words("description"),
  media: words("schema itemSchema example examples"),
  schema: words(
    "$id $schema $anchor $comment $defs title description externalDocs example examples default deprecated nullable readOnly writeOnly properties items contentSchema discriminator xml",
  ).concat(Object.keys(schemaKeywords).flatMap(spellingsOf)),
};

/** The fallback for changes that no other rule judges. */
export const unjudged: Rule = {
  kinds: PART_KINDS,
  keys: (before, after) => [...findUnjudged(before, after).keys()],
  message: (before, after) => {
    const told = [...findUnjudged(before, after)].map(([key, difference]) =>
      [key, ...tellInside(below(after.pointer, key), difference)].join(" "),
    );
    return `no rule can judge the change of ${told.join(", ")}`;
  },
  rate: (before, after) => (findUnjudged(before, after).size > 0 ? "breaking" : "none"),
};

/** The keys that differ and that no other rule judges, each with its first difference. Extensions (`x-`) do not bind clients. */
function findUnjudged(before: Part, after: Part): ReadonlyMap<string, Difference> {
  const found = new Map<string, Difference>();
  for (const key of new Set([...Object.keys(before.node), ...Object.keys(after.node)])) {
    if (key.startsWith("x-") || isJudged(before, after, key)) continue;
    // The values that a link sends may have any names, even those of keywords.
    const isValue = before.kind === "link" && key === "requestBody";
    const difference = isValue
      ? compareValues(writtenAt(before, key), writtenAt(after, key))
      : findDifference(before, after, key);
    if (difference !== undefined) found.set(key, difference);
  }
  return found;
}

function isJudged({ kind, node: before }: Part, { node: after }: Part, key: string): boolean {
  const isBoth = before[key] !== undefined && after[key] !== undefined;
  if (isListOfSchemas(key))
    return isOneByOne(key, before, after) || deepEqual(namesIn(before[key]), namesIn(after[key]));
  const known = judged[kind === "field" || kind === "member" ? "schema" : kind];
  return known.includes(key) && !(isBoth && CONDITIONS.includes(key));
}

/** Lists of schemas, each with the keyword for everything that the list does not name. */
const LISTS = { patternProperties: "additionalProperties", prefixItems: "items" } as const;

type ListOfSchemas = keyof typeof LISTS;

const isListOfSchemas = (key: string): key is ListOfSchemas => Object.hasOwn(LISTS, key);

/** True if each schema of a list is independent of the others: adding one only restricts, and removing one only permits. */
export function isOneByOne(key: ListOfSchemas, ...schemas: readonly JsonObject[]): boolean {
  return schemas.every((schema) => [undefined, true].some((open) => schema[LISTS[key]] === open));
}

const namesIn = (value: unknown): string[] =>
  Object.keys(isObject(value) || Array.isArray(value) ? value : {}).toSorted();

/** The place of the difference, if it is deeper than the key, and the difference itself. */
function tellInside(pointer: string, { before, after }: Difference): string[] {
  if (after.pointer === pointer) return [];
  return [`at ${after.pointer}`, tellValues(before.node, after.node)].filter((told) => told !== "");
}
