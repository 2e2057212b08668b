// The rule on how a value is written in XML.
import { isSameAt } from "../same.ts";
import type { Rule } from "../parts.ts";

export const xml: Rule = {
  kinds: ["schema", "field", "member"],
  keys: () => ["xml"],
  message: "it is written otherwise in XML",
  // The keyword has no effect for other media types (OpenAPI 3.1, XML object).
  rate: (before, after) =>
    before.form !== "xml" || isSameAt(before, after, "xml") ? "none" : "breaking",
};
