// The rule on the credentials that an operation requires: security schemes and their scopes.
import { toList, toObject, type JsonObject } from "../json.ts";
import type { Part } from "../parts.ts";
import type { Rating } from "../rating.ts";
import { shiftOfSets } from "./shift.ts";

/** A permitted request must stay permitted: each old combination of schemes and scopes needs a new one that requires no more. */
export function rateCredentials(before: Part, after: Part): Rating {
  const [old, now] = [alternativesOf(before.node), alternativesOf(after.node)];
  const isSafe = old.every((needed) =>
    now.some((next) => next.every((name) => needed.includes(name))),
  );
  if (!isSafe) return "breaking";
  return shiftOfSets(old, now) === "same" ? "none" : "additive";
}

function alternativesOf({ security }: JsonObject): string[][] {
  const alternatives = toList(security).map((alternative) =>
    Object.entries(toObject(alternative)).flatMap(toNeeds).toSorted(),
  );
  // An empty list needs no credentials, as does a list with `{}` (OpenAPI 3.1, operation object).
  return alternatives.length === 0 ? [[]] : alternatives;
}

/** A scheme, and each scope that its token must have. */
function toNeeds([scheme, scopes]: readonly [string, unknown]): string[] {
  return [scheme, ...toList(scopes).map((scope) => `${scheme} ${String(scope)}`)];
}
