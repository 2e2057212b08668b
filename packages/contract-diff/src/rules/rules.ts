// The rules on parts that both documents have: a table in which each entry names what it checks and how it rates a change.
import { deepEqual } from "fast-equals";
import { toList, toObject } from "../json.ts";
import type { Rating } from "../rating.ts";
import type { Part, Rule } from "../parts.ts";
import { rateCredentials } from "./credentials.ts";
import { discriminator } from "./discriminator.ts";
import { isMarkedNullable } from "../notation.ts";
import { isKeptByValues, typesOf } from "./listed-values.ts";
import { pathParameterName, permissions, serialization, severalValues } from "./parameters.ts";
import { flows, schemeName } from "./schemes.ts";
import { schemaKeywords, spellingsOf } from "./schema-keywords.ts";
import { rateShift, type Shift, shiftOfPresence, shiftOfSets } from "./shift.ts";
import { unjudged } from "./unjudged.ts";
import { xml } from "./xml.ts";
import { tellNeed, tellShift } from "./words.ts";

const SCHEMAS = ["schema", "field", "member"] as const;
const MARKED = [
  "info",
  "scheme",
  "operation",
  "parameter",
  "answer",
  "header",
  ...SCHEMAS,
] as const;

const additionalProperties = toKeywordRule("additionalProperties");

/** A response that allowed no other fields may now have them. Most readers ignore them, just as they ignore a new documented field. */
const isOpened = ({ node: before, direction }: Part, { node: after }: Part): boolean =>
  direction === "response" &&
  before["additionalProperties"] === false &&
  after["additionalProperties"] !== false;

/** The rules on parts that both documents have, by name. */
export const rules: Readonly<Record<string, Rule>> = {
  "operation-id": {
    kinds: ["operation"],
    keys: () => ["operationId"],
    message: "generated clients call it by another name",
    // A first name removes none.
    rate: ({ node: before }, { node: after }) =>
      before["operationId"] === undefined || before["operationId"] === after["operationId"]
        ? "none"
        : "breaking",
  },
  security: {
    kinds: ["operation"],
    keys: () => ["security"],
    message: "other credentials are accepted",
    rate: rateCredentials,
  },
  "scheme-name": schemeName,
  flows,
  "field-order": {
    kinds: SCHEMAS,
    keys: () => ["properties"],
    message: "the fields stand in another order",
    rate: rateFieldOrder,
  },
  "must-be-sent": {
    kinds: ["parameter", "body", "header"],
    keys: () => ["required"],
    message: ({ direction }, { node }) => tellNeed(direction, node["required"] === true),
    rate: ({ node: before, direction }, { node: after }) =>
      // Only `true` constrains; a missing key means false.
      rateShift(
        shiftOfPresence(before["required"] || undefined, after["required"] || undefined),
        direction,
      ),
  },
  "path-parameter-name": pathParameterName,
  "several-values": severalValues,
  serialization,
  permissions,
  discriminator,
  xml,
  default: {
    kinds: SCHEMAS,
    keys: () => ["default"],
    message: "what stands for a value that is not sent has changed",
    rate: rateDefault,
  },
  decision: {
    kinds: MARKED,
    keys: () => ["x-decision"],
    message: "it is marked with other decisions",
    rate: ({ node: before }, { node: after }) =>
      shiftOfSets(toList(before["x-decision"]), toList(after["x-decision"])) === "same"
        ? "none"
        : "additive",
  },
  deprecated: {
    kinds: ["operation", "parameter", "header", "scheme", ...SCHEMAS],
    keys: () => ["deprecated"],
    message: "whether it is deprecated has changed",
    // Semantic Versioning 2.0.0, item 7: a deprecation raises the minor number.
    rate: ({ node: before }, { node: after }) =>
      (before["deprecated"] ?? false) === (after["deprecated"] ?? false) ? "none" : "additive",
  },
  ...Object.fromEntries(
    Object.keys(schemaKeywords).map((keyword) => [keyword, toKeywordRule(keyword)]),
  ),
  additionalProperties: {
    ...additionalProperties,
    rate: (before, after) =>
      isOpened(before, after) ? "none" : additionalProperties.rate(before, after),
  },
  "closed-answer": {
    kinds: SCHEMAS,
    keys: additionalProperties.keys,
    message: "the answer allowed no other field, and does now",
    rate: (before, after) => (isOpened(before, after) ? "breaking" : "none"),
  },
  // Since 3.1, `nullable` is not part of OpenAPI. Its author intended to allow null, and generators still honour it.
  nullable: {
    kinds: SCHEMAS,
    keys: () => ["nullable"],
    message: (_, now) =>
      `${isMarkedNullable(now) ? "it is marked nullable now" : "it is marked nullable no more"}: since OpenAPI 3.1 null is one of the types, and nullable says nothing`,
    rate: (before, after) => {
      const [was, is] = [before, after].map(isMarkedNullable);
      if (was === is || allowsNull(is === true ? before : after)) return "none";
      const isOldNull = before.node["nullable"] === true;
      return isOldNull ? "none" : rateShift(is === true ? "wider" : "narrower", before.direction);
    },
  },
  unjudged,
};

/** True if the schema allows null in the notation of its version. */
const allowsNull = ({ node }: Part): boolean => typesOf(node)?.includes("null") ?? true;

function toKeywordRule(keyword: string): Rule {
  const shiftOf = (before: Part, after: Part): Shift =>
    schemaKeywords[keyword]?.(before.node, after.node, before.form) ?? "same";
  return {
    kinds: SCHEMAS,
    keys: () => spellingsOf(keyword),
    message: (old, now) => tellShift(keyword, shiftOf(old, now), old.direction),
    rate: (old, now) => {
      const shift = shiftOf(old, now);
      const change = { before: old.node, after: now.node, shift };
      return isKeptByValues(keyword, change) ? "none" : rateShift(shift, old.direction);
    },
  };
}

function rateFieldOrder(before: Part, after: Part): Rating {
  if (before.direction === "request") return "none";
  const [old, now] = [before, after].map(({ node }) => Object.keys(toObject(node["properties"])));
  const kept = old?.filter((name) => now?.includes(name));
  const keptNow = now?.filter((name) => old?.includes(name));
  return deepEqual(kept, keptNow) ? "none" : "breaking";
}

/** Stating a default for the first time is an addition. Changing it changes the effect of an unchanged request. */
function rateDefault({ node: before, direction }: Part, { node: after }: Part): Rating {
  if (direction === "response") return "none";
  const shift = shiftOfPresence(before["default"], after["default"]);
  if (shift === "same") return "none";
  return shift === "narrower" ? "additive" : "breaking";
}
