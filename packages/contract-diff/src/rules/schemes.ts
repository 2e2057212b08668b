// The rules on what a security scheme requires from a client. A rule on operations reports a change to another scheme.
import { toObject, type JsonObject } from "../json.ts";
import type { Part, Rule } from "../parts.ts";
import { children, inside } from "../places.ts";
import { rateShift, shiftOfPresence, shiftOfSets } from "./shift.ts";

export const schemeName: Rule = {
  kinds: ["scheme"],
  keys: () => ["type", "scheme", "name", "in", "openIdConnectUrl"],
  message: "the credentials are sent in another way",
  rate: ({ node: before }, { node: after }) =>
    shiftOfPresence(toNames(before), toNames(after)) === "same" ? "none" : "breaking",
};

/** The names of schemes and headers are case-insensitive (RFC 9110, 11.1 and 5.1). */
function toNames({ type, scheme, name, in: place, openIdConnectUrl }: JsonObject): unknown[] {
  const text = String(name);
  const known = place === "header" ? text.toLowerCase() : text;
  return [type, String(scheme).toLowerCase(), place, known, openIdConnectUrl];
}

export const flows: Rule = {
  kinds: ["scheme"],
  keys: () => ["flows"],
  message: "tokens are given in another way, or for other scopes",
  rate: (before, after) => rateShift(shiftOfSets(toOffers(before), toOffers(after)), "request"),
};

/** Every flow with its URLs, and every scope that it offers. */
function toOffers(scheme: Part): unknown[] {
  return [...children(inside(scheme, "flows"))].flatMap(([flow, { node }]) => {
    const places = Object.entries(node).filter(([key]) => key.endsWith("Url"));
    const scopes = Object.keys(toObject(node["scopes"]));
    return [[flow, Object.fromEntries(places)], ...scopes.map((scope) => [flow, scope])];
  });
}
