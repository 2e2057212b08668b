// The rule on how a value is written in XML.
import { isSameAt } from "../same.ts";
import type { Rule } from "../parts.ts";

/** A media type of XML (RFC 7303) in the name of a part; a path begins with a slash. */
const XML = /\s[\w.-]+\/(?:[\w.-]+\+)?xml[;\s]/;

export const isWrittenInXml = (name: string): boolean => XML.test(name);

export const xml: Rule = {
  kinds: ["schema", "field", "member"],
  keys: () => ["xml"],
  message: "it is written otherwise in XML",
  // Of any other media type it says nothing (OpenAPI 3.1, XML object).
  rate: (before, after) =>
    !isWrittenInXml(before.name) || isSameAt(before, after, "xml") ? "none" : "breaking",
};
