// The rule on `discriminator`, by which a reader chooses among schemas. It shuts no value out (OpenAPI 3.1.1, 4.8.25).
import { lookUp, toObject } from "../json.ts";
import type { Part } from "../parts.ts";
import { inside, type Place, type Written } from "../places.ts";
import type { Rating } from "../rating.ts";
import { isSame } from "../same.ts";
import type { Rule } from "./rules.ts";

export const discriminator: Rule = {
  kinds: ["schema", "field", "member"],
  keys: () => ["discriminator"],
  message: "what tells the schemas apart has changed",
  rate: rateDiscriminator,
};

/** One where there was none, or one name more, is new to use; whoever went by what is gone finds it no more. */
function rateDiscriminator(before: Part, after: Part): Rating {
  const [old, now] = [inside(before, "discriminator"), inside(after, "discriminator")];
  if (old === undefined) return now === undefined ? "none" : "additive";
  if (now === undefined || now.node["propertyName"] !== old.node["propertyName"]) return "breaking";
  const [names, namesNow] = [toTargets(old), toTargets(now)];
  const isKept = [...names].every(([name, target]) => {
    const targetNow = namesNow.get(name);
    return targetNow !== undefined && isSame(target, targetNow);
  });
  if (!isKept) return "breaking";
  return namesNow.size > names.size ? "additive" : "none";
}

/** The schemas of the mapping, each of which is written as a reference or as the name of a component. */
function toTargets(place: Place): ReadonlyMap<string, Written> {
  const { document, pointer } = place;
  const entries = Object.entries(toObject(place.node["mapping"])).map(([name, target]) => {
    const text = String(target);
    const $ref = text.startsWith("#/") ? text : `#/components/schemas/${text}`;
    const node = lookUp(document, $ref) === undefined ? text : { $ref };
    return [name, { document, pointer, node }] as const;
  });
  return new Map(entries);
}
