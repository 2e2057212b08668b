// A schema taken apart, as it holds in its place of use: what the client sends has no fields that are only read.
import { deepEqual } from "fast-equals";
import { findOthersFields, withoutFields } from "./others-fields.ts";
import { unwrapLone } from "./lone-member.ts";
import type { Part, PartKind, Role, Surface } from "./parts.ts";
import { children, inside, list, type Place } from "./places.ts";
import { isSame } from "./same.ts";

interface Context {
  /** The parts of the earlier document, empty while that one is taken apart: members of lists are named as there. */
  readonly earlier: Surface;
  /** The parts of the other document. */
  readonly other: Surface;
  /** The schemas that it is in: one that contains itself is followed until both documents do so in the same place. */
  readonly within: readonly Pair[];
  /** Fields of the same object that only the other side writes, as the schemas say that this is a member of. */
  readonly othersFields?: readonly string[];
}

/** A schema, by its pointer, and the one that the other document has in its place. */
interface Pair {
  readonly pointer: string;
  readonly other: string | undefined;
}

/** A schema and all in it. */
export function* toSchemaParts(written: Place, role: Role, context: Context): Generator<Part> {
  const counterpart = context.other.get(role.name);
  const place = withoutNullable(unwrapLone(withoutNullable(written), counterpart));
  const othersFields = [...(context.othersFields ?? []), ...findOthersFields(place, role)];
  const schema = withoutFields(place, othersFields);
  // That there is a field is told of one that leads back, too.
  const pair = { pointer: place.pointer, other: counterpart?.pointer };
  const isCut = isTooDeep(pair, context.within);
  yield { ...role, ...schema, isCut };
  if (isCut || context.within.some((outer) => deepEqual(outer, pair))) return;
  const within = [...context.within, pair];
  for (const [kind, step, inner] of toSubschemas(schema, role, { ...context, othersFields })) {
    const { direction, name: owner } = role;
    const name = `${owner}${step}`;
    const deeper = { ...context, within, othersFields: kind === "member" ? othersFields : [] };
    yield* toSchemaParts(inner, { kind, direction, name, owner }, deeper);
  }
}

// With every further one, a document of a few schemas that all contain each other has several times as many parts.
const FOLLOWED_AGAIN = 2;

/** Whether it is in itself, beside nothing of the other document or, again and again, beside something else. */
function isTooDeep({ pointer, other }: Pair, within: readonly Pair[]): boolean {
  const pointers = within.map((outer) => outer.pointer);
  const again = pointers.length - new Set(pointers).size;
  return pointers.includes(pointer) && (other === undefined || again >= FOLLOWED_AGAIN);
}

/** OpenAPI 3.1 has null among the types, and this keyword no more. */
function withoutNullable(place: Place): Place {
  if (String(place.document["openapi"]).startsWith("3.0.")) return place;
  const entries = Object.entries(place.node).filter(([key]) => key !== "nullable");
  return { ...place, node: Object.fromEntries(entries) };
}

function* toSubschemas(
  schema: Place,
  role: Role,
  { earlier, othersFields = [] }: Context,
): Generator<readonly [PartKind, string, Place]> {
  for (const [key, inner] of children(inside(schema, "properties"))) {
    yield ["field", toStep(key), inner];
  }
  const items = inside(schema, "items");
  if (items && bindsSomething(items)) yield ["schema", "[]", items];
  // That there are no others is a rule of its own.
  const isClosed = schema.node["additionalProperties"] === false;
  const others = isClosed ? undefined : inside(schema, "additionalProperties");
  if (others && bindsSomething(others)) yield ["schema", ".*", others];
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const toNumbered = (number: number) => ` ${keyword} ${number}`;
    const members = list(schema, keyword).map((member) =>
      withoutFields(member, [...othersFields, ...findOthersFields(member, role)]),
    );
    const known = takeWhileThere((at) => earlier.get(`${role.name}${toNumbered(at)}`));
    const numbers = numberAs(known, members);
    for (const [at, inner] of members.entries())
      yield ["member", toNumbered(numbers[at] ?? at), inner];
  }
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
