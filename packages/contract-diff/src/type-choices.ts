// Choices that are equivalent to a list of types: `anyOf: [{ type: string }, { type: "null" }]` is `type: [string, "null"]`.
import { deepEqual } from "fast-equals";
import { isSaid } from "./beside-reference.ts";
import { toList, type JsonObject, type Place } from "./json.ts";
import { unwrap } from "./lone-member.ts";
import { CHOICES } from "./members.ts";
import { list } from "./places.ts";
import { CONDITIONS } from "./rules/schema-keywords.ts";
import { typeOf, typesOf, valuesOf } from "./rules/listed-values.ts";

/**
 * The schema without its choice, if a single schema allows the same values: a choice between types only, or between null and one other
 * schema. So null may be written in any way without changing the result.
 */
export function joinTypeChoices(place: Place): Place {
  const [keyword, another] = CHOICES.filter((name) => Array.isArray(place.node[name]));
  if (keyword === undefined || another !== undefined) return place;
  const { [keyword]: _choice, ...beside } = place.node;
  const members = list(place, keyword).map((member) => unwrap(member));
  if (keyword === "oneOf" && !areApart(members)) return place;
  const bound = binding({ ...place, node: beside });
  if (bound.length === 0)
    return (
      joinTypes(place, members, beside) ??
      joinNull(members, beside) ??
      joinValues(place, members, beside) ??
      place
    );
  return (bound.join() === "type" ? joinValues(place, members, beside) : undefined) ?? place;
}

/** Exactly one schema of `oneOf` may hold, so a value that two of them allow is invalid. */
function areApart(members: readonly Place[]): boolean {
  const values = toValues(members);
  if (values !== undefined) return values.every((value, at) => !hasBefore(values, value, at));
  const types = members.flatMap(({ node }) => [...new Set(typesOf(node) ?? [undefined])]);
  return !types.includes(undefined) && new Set(types).size === types.length;
}

const binding = ({ node }: Place): string[] => Object.keys(node).filter((key) => !isSaid(key));

function joinTypes(place: Place, members: readonly Place[], beside: JsonObject): Place | undefined {
  if (members.length === 0 || !members.every((member) => binding(member).join() === "type"))
    return undefined;
  const types = members.flatMap(({ node }) => toList(node["type"]));
  return { ...place, node: { ...beside, type: [...new Set(types)] } };
}

/** A choice between listed values with a title each: the usual way to describe them. */
function joinValues(
  place: Place,
  members: readonly Place[],
  beside: JsonObject,
): Place | undefined {
  const values = toValues(members);
  if (values === undefined) return undefined;
  const types = [...new Set(members.flatMap(({ node }) => toList(node["type"])))];
  const isTyped = members.every(({ node }) => node["type"] !== undefined);
  const type = isTyped && beside["type"] === undefined && { type: types };
  return { ...place, node: { ...type, ...beside, enum: values } };
}

/** The values of members that only list values. */
function toValues(members: readonly Place[]): readonly unknown[] | undefined {
  const isList = (member: Place) =>
    valuesOf(member.node) !== undefined &&
    binding(member).every((key) => ["const", "enum", "type"].includes(key));
  if (members.length === 0 || !members.every(isList)) return undefined;
  return members.flatMap(({ node }) =>
    (valuesOf(node) ?? []).filter((value) => typesOf(node)?.includes(typeOf(value)) ?? true),
  );
}

const hasBefore = (values: readonly unknown[], value: unknown, at: number): boolean =>
  values.slice(0, at).some((other) => deepEqual(other, value));

function joinNull(members: readonly Place[], beside: JsonObject): Place | undefined {
  const others = members.filter((member) => !isNull(member));
  const [other] = others;
  if (other === undefined || others.length !== 1 || members.length !== 2) return undefined;
  const { type, const: _const, enum: _enum, ...rest } = other.node;
  if (typesOf(other.node) === undefined || Object.keys(rest).some(bindsNull)) return undefined;
  const listed = valuesOf(other.node);
  const node = {
    ...rest,
    ...beside,
    type: [...new Set([...toList(type), "null"])],
    ...(listed !== undefined && { enum: [...listed.filter((value) => value !== null), null] }),
  };
  return { ...other, node };
}

const isNull = (member: Place): boolean =>
  binding(member).join() === "type" && toList(member.node["type"]).join() === "null";

// Every other keyword only applies to types other than null (JSON Schema 2020-12, validation, section 6).
const OF_ANY_TYPE = new Set(["allOf", "anyOf", "oneOf", "nullable", "$dynamicRef", ...CONDITIONS]);

const bindsNull = (keyword: string): boolean => OF_ANY_TYPE.has(keyword);
