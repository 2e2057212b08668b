// A schema taken apart, as it holds in its place of use: what the client sends has no fields that are only read.
import { toList, toObject } from "./json.ts";
import { unwrapLone } from "./lone-member.ts";
import type { Part, PartKind, Role, Surface } from "./parts.ts";
import { children, inside, list, type Place } from "./places.ts";
import { isSame } from "./same.ts";

interface Context {
  /** The parts of the earlier document, empty while that one is taken apart: members of lists are named as there. */
  readonly earlier: Surface;
  /** The parts of the other document. */
  readonly other: Surface;
  /** Pointers of the schemas that it is in: one that contains itself is followed once. */
  readonly within: readonly string[];
}

/** A schema and all in it. */
export function* toSchemaParts(written: Place, role: Role, context: Context): Generator<Part> {
  const place = unwrapLone(written, context.other.get(role.name));
  const schema = withoutOthersFields(place, role);
  // That there is a field is told of one that leads back, too.
  yield { ...role, ...schema };
  if (context.within.includes(place.pointer)) return;
  const within = [...context.within, schema.pointer];
  for (const [kind, step, inner] of toSubschemas(schema, role, context)) {
    const { direction, name: owner } = role;
    const name = `${owner}${step}`;
    yield* toSchemaParts(inner, { kind, direction, name, owner }, { ...context, within });
  }
}

/** OpenAPI 3.1, schema object: `readOnly` fields are not sent, `writeOnly` fields not answered, even if they are required. */
function withoutOthersFields(schema: Place, { direction }: Role): Place {
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  const fields = [...children(inside(schema, "properties"))];
  const others = fields.filter(([, { node }]) => node[mark] === true).map(([name]) => name);
  if (others.length === 0) return schema;
  const isOwn = (name: unknown) => !others.some((other) => other === name);
  const properties = Object.entries(toObject(schema.node["properties"]));
  const node = {
    ...schema.node,
    properties: Object.fromEntries(properties.filter(([name]) => isOwn(name))),
    required: toList(schema.node["required"]).filter(isOwn),
  };
  return { ...schema, node };
}

function* toSubschemas(
  schema: Place,
  role: Role,
  { earlier }: Context,
): Generator<readonly [PartKind, string, Place]> {
  for (const [key, inner] of children(inside(schema, "properties"))) {
    yield ["field", `.${key}`, inner];
  }
  const items = inside(schema, "items");
  if (items && bindsSomething(items)) yield ["schema", "[]", items];
  // That there are no others is a rule of its own.
  const isClosed = schema.node["additionalProperties"] === false;
  const others = isClosed ? undefined : inside(schema, "additionalProperties");
  if (others && bindsSomething(others)) yield ["schema", ".*", others];
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const toStep = (number: number) => ` ${keyword} ${number}`;
    const members = list(schema, keyword).map((member) => withoutOthersFields(member, role));
    const known = takeWhileThere((at) => earlier.get(`${role.name}${toStep(at)}`));
    const numbers = numberAs(known, members);
    for (const [at, inner] of members.entries()) yield ["member", toStep(numbers[at] ?? at), inner];
  }
}

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
