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
  /** The schemas that it is in: one that contains itself is followed until both documents do so in the same place. */
  readonly within: readonly Pair[];
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
  const schema = withoutOthersFields(place, role);
  // That there is a field is told of one that leads back, too.
  yield { ...role, ...schema };
  const pair = { pointer: place.pointer, other: counterpart?.pointer };
  if (context.within.some((outer) => isRepeated(pair, outer))) return;
  const within = [...context.within, pair];
  for (const [kind, step, inner] of toSubschemas(schema, role, context)) {
    const { direction, name: owner } = role;
    const name = `${owner}${step}`;
    yield* toSchemaParts(inner, { kind, direction, name, owner }, { ...context, within });
  }
}

/** Where the other document has nothing, its own pointer is enough. */
const isRepeated = (pair: Pair, outer: Pair): boolean =>
  pair.pointer === outer.pointer && (pair.other === undefined || pair.other === outer.other);

/** OpenAPI 3.1 has null among the types, and this keyword no more. */
function withoutNullable(place: Place): Place {
  if (String(place.document["openapi"]).startsWith("3.0.")) return place;
  const entries = Object.entries(place.node).filter(([key]) => key !== "nullable");
  return { ...place, node: Object.fromEntries(entries) };
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
    const members = list(schema, keyword).map((member) => withoutOthersFields(member, role));
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
