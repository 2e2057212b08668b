// The rule on a schema that allows nothing, such as `items: false`. Its other keywords have no effect.
import { deepEqual } from "fast-equals";
import type { JsonObject } from "../json.ts";
import type { Part, Rule } from "../parts.ts";
import type { Rating } from "../rating.ts";
import { rateShift } from "./shift.ts";

export const isNever = ({ not }: JsonObject): boolean => not === true || deepEqual(not, {});

export const never: Rule = {
  kinds: ["schema", "field", "member"],
  keys: () => [],
  message: ({ node }) => (isNever(node) ? "it may be there now" : "nothing is allowed there now"),
  rate: rateNever,
};

function rateNever({ kind, node, direction }: Part): Rating {
  // A client that used the field no longer finds it.
  if (kind === "field" && !isNever(node)) return "breaking";
  return rateShift(isNever(node) ? "wider" : "narrower", direction);
}
