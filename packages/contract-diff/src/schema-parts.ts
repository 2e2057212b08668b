// A schema taken apart, as it holds in its place of use: what the client sends has no fields that are only read.
import { toObject, type Place } from "./json.ts";
import { findOthersFields, withoutFields } from "./others-fields.ts";
import { unwrapLone } from "./lone-member.ts";
import type { Beside, Part, PartKind, Role, Surface } from "./parts.ts";
import { children, inside, list } from "./places.ts";
import { isSame } from "./same.ts";
import { joinTypeChoices } from "./type-choices.ts";

/** A schema in its place, and the fields of it that only the other side writes, as the schemas say that it is a member of. */
interface Step {
  readonly written: Place;
  readonly role: Role;
  readonly othersFields: readonly string[];
}

/**
 * A schema and all in it, what is nearer first. Schemas that contain each other have places without end: what is in a pair
 * of schemas, this one and the one that the other document has in its place, is told where that pair stands first.
 */
export function* toSchemaParts(
  written: Place,
  role: Role,
  { earlier, other }: Required<Beside>,
): Generator<Part> {
  const taken = new Set<string>();
  const steps: Step[] = [{ written, role, othersFields: [] }];
  // It grows on the way.
  for (const step of steps) {
    const counterpart = other.get(step.role.name);
    const part = toPart(step, counterpart);
    yield part;
    const pair = toPair(part, counterpart);
    if (!taken.has(pair)) steps.push(...toInner(part, earlier));
    taken.add(pair);
  }
}

function toPart({ written, role, othersFields: given }: Step, counterpart: Part | undefined): Part {
  const unwrapped = withoutNullable(unwrapLone(withoutNullable(written), counterpart));
  const place = joinTypeChoices(unwrapped);
  const othersFields = [...new Set([...given, ...findOthersFields(place, role)])];
  return { ...role, ...withoutFields(place, othersFields), othersFields };
}

function toInner(part: Part, earlier: Surface): Step[] {
  const { direction, name: owner, othersFields = [] } = part;
  return [...toSubschemas(part, earlier)].map(([kind, step, written]) => ({
    written,
    role: { kind, direction, name: `${owner}${step}`, owner },
    othersFields: kind === "member" ? othersFields : [],
  }));
}

// One pointer may lead to several schemas, each with what stands beside a reference to it.
const toPair = (...parts: readonly (Part | undefined)[]): string =>
  JSON.stringify(parts.map((part) => [part?.pointer, part?.node, part?.othersFields]));

/** OpenAPI 3.1 has null among the types, and this keyword no more. */
function withoutNullable(place: Place): Place {
  if (String(place.document["openapi"]).startsWith("3.0.")) return place;
  const entries = Object.entries(place.node).filter(([key]) => key !== "nullable");
  return { ...place, node: Object.fromEntries(entries) };
}

/** In the order of the earlier document, so that a pair stands first in the same place of both. */
function* toSubschemas(
  schema: Part,
  earlier: Surface,
): Generator<readonly [PartKind, string, Place]> {
  const fields = new Map(children(inside(schema, "properties")));
  const known = Object.keys(toObject(earlier.get(schema.name)?.node["properties"]));
  for (const key of new Set([...known, ...fields.keys()])) {
    const inner = fields.get(key);
    if (inner) yield ["field", toStep(key), inner];
  }
  const items = inside(schema, "items");
  if (items && bindsSomething(items)) yield ["schema", "[]", items];
  // That there are no others is a rule of its own.
  const isClosed = schema.node["additionalProperties"] === false;
  const others = isClosed ? undefined : inside(schema, "additionalProperties");
  if (others && bindsSomething(others)) yield ["schema", ".*", others];
  for (const keyword of ["allOf", "anyOf", "oneOf"]) yield* toMembers(schema, keyword, earlier);
}

function* toMembers(
  schema: Part,
  keyword: string,
  earlier: Surface,
): Generator<readonly ["member", string, Place]> {
  const { name, othersFields = [] } = schema;
  const toNumbered = (number: number) => ` ${keyword} ${number}`;
  const members = list(schema, keyword).map((member) =>
    withoutFields(member, [...othersFields, ...findOthersFields(member, schema)]),
  );
  const known = takeWhileThere((at) => earlier.get(`${name}${toNumbered(at)}`));
  const numbers = numberAs(known, members);
  const numbered = members.map((inner, at) => ({ number: numbers[at] ?? at, inner }));
  for (const { number, inner } of numbered.toSorted((a, b) => a.number - b.number))
    yield ["member", toNumbered(number), inner];
}

/** A field whose name looks like more than one step is put in quotes, lest it passes for them. */
const toStep = (name: string): string =>
  /[.*[\]" ]|^$/.test(name) ? `[${JSON.stringify(name)}]` : `.${name}`;

/** An empty schema allows what no schema does. */
const bindsSomething = ({ node }: Place): boolean => Object.keys(node).length > 0;

function takeWhileThere<T>(find: (at: number) => T | undefined): T[] {
  const found: T[] = [];
  for (let next = find(0); next !== undefined; next = find(found.length)) found.push(next);
  return found;
}

/** The order of members means nothing: each has the number of the earlier one that says the same, the others what is left. */
function numberAs(earlier: readonly Place[], members: readonly Place[]): number[] {
  const taken = new Set<number>();
  const take = (number: number) => (taken.add(number), number);
  const same = members.map((member) => {
    const number = earlier.findIndex((known, at) => !taken.has(at) && isSame(known, member));
    return number < 0 ? undefined : take(number);
  });
  const numbers = Array.from({ length: earlier.length + members.length }, (_, at) => at);
  return same.map((number) => number ?? take(numbers.find((free) => !taken.has(free)) ?? 0));
}
