// The second of the two engines: our own rules, on two documents taken apart.
import { below, type JsonObject } from "./json.ts";
import type { Finding } from "./rating.ts";
import { rules } from "./rules/own-rules.ts";
import { toSurface, type Part, type Surface } from "./surface.ts";

const GONE = "gone";

/** The names of the rules. */
export const ownRules: readonly string[] = [GONE, ...Object.keys(rules)];

/** What our rules find: operations and parameters that are gone, and what changed in the parts that both documents have. */
export function compareByOwnRules(before: JsonObject, after: JsonObject): Finding[] {
  const surface = toSurface(after);
  return [...toSurface(before).values()].flatMap((part) => {
    const next = surface.get(part.name);
    return next === undefined ? findGone(part, surface) : comparePart(part, next);
  });
}

/**
 * A client calls an operation, and a generated one names its arguments after parameters, those of the path too. What else
 * is gone, redocly finds.
 */
function findGone({ kind, name, pointer }: Part, surface: Surface): Finding[] {
  const operation = name.split(" ", 2).join(" ");
  const isGone = kind === "operation" || (kind === "parameter" && surface.has(operation));
  if (!isGone) return [];
  return [{ rating: "breaking", rule: GONE, pointer, message: `${name} is gone` }];
}

function comparePart(before: Part, after: Part): Finding[] {
  return Object.entries(rules).flatMap(([rule, { kinds, key, message, rate }]) => {
    const rating = kinds.includes(before.kind) ? rate(before, after) : "none";
    if (rating === "none") return [];
    const pointer = pointerOf({ before, after, key });
    return [{ rating, rule, pointer, message: `${after.name.trim()}: ${message}` }];
  });
}

/** A key that is gone has its place in the released document. The rule of `enum` speaks of `const` too. */
function pointerOf(place: { before: Part; after: Part; key: string }): string {
  for (const { node, pointer } of [place.after, place.before]) {
    for (const key of place.key === "enum" ? ["enum", "const"] : [place.key]) {
      if (Object.hasOwn(node, key)) return below(pointer, key);
    }
  }
  return place.after.pointer;
}
