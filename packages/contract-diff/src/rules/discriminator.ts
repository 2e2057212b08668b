// The rule on `discriminator`, by which a reader chooses a schema. It excludes no values (OpenAPI 3.1.1, 4.8.25).
import { isObject, lookUp, toList, toObject, type Place, type Written } from "../json.ts";
import type { Part, Rule } from "../parts.ts";
import { inside } from "../places.ts";
import type { Rating } from "../rating.ts";
import { isSame } from "../same.ts";

export const discriminator: Rule = {
  kinds: ["schema", "field", "member"],
  keys: () => ["discriminator"],
  message: "what tells the schemas apart has changed",
  rate: rateDiscriminator,
};

function rateDiscriminator(before: Part, after: Part): Rating {
  const [old, now] = [inside(before, "discriminator"), inside(after, "discriminator")];
  if (old === undefined) return now === undefined ? "none" : "additive";
  if (now === undefined || now.node["propertyName"] !== old.node["propertyName"]) return "breaking";
  return rateNames(toChoices(before, old), toChoices(after, now));
}

/** An additional name can be used. A client fails if a name that it uses is removed, or selects another schema. */
function rateNames(before: Choices, after: Choices): Rating {
  const lost = [...before.used.keys()].filter((name) => !after.known.has(name));
  const gained = [...after.used.keys()].filter((name) => !before.known.has(name));
  // If a component's own name is removed, its schema was too, which the rule of its list reports.
  const isMapped = lost.some((name) => before.mapped.has(name));
  const isRenamed = isMapped || (lost.length > 0 && gained.length > 0);
  const isOther = [...before.used].some(([name, target]) => {
    const targetNow = after.known.get(name);
    return targetNow !== undefined && !isSameTarget(target, targetNow);
  });
  if (isRenamed || isOther) return "breaking";
  return gained.length > 0 ? "additive" : "none";
}

/** Changes within a schema are reported there. Another component with the same content is not another choice. */
function isSameTarget(one: Written, other: Written): boolean {
  const [ref, otherRef] = [one, other].map(({ node }) => toObject(node)["$ref"]);
  return (ref !== undefined && ref === otherRef) || isSame(one, other);
}

type Targets = ReadonlyMap<string, Written>;

/** The schemas to choose from, by name. */
interface Choices {
  readonly mapped: Targets;
  /** The mapped names, and the names of components without a mapping. */
  readonly used: Targets;
  /** All valid names: a component's own name is also valid if it is mapped to another name. */
  readonly known: Targets;
}

function toChoices(schema: Place, place: Place): Choices {
  const mapped = toTargets(place);
  const components = componentsOf(schema);
  const unmapped = [...components].filter(
    ([, component]) => ![...mapped.values()].some((target) => isSameReference(target, component)),
  );
  const known = new Map([...components, ...mapped]);
  return { mapped, used: new Map([...unmapped, ...mapped]), known };
}

const isSameReference = (one: Written, other: Written): boolean =>
  toObject(one.node)["$ref"] === toObject(other.node)["$ref"];

/** The schemas of the mapping. Each is written as a reference or as the name of a component. */
function toTargets(place: Place): Targets {
  const { document, pointer } = place;
  const entries = Object.entries(toObject(place.node["mapping"])).map(([name, target]) => {
    const text = String(target);
    const $ref = text.startsWith("#/") ? text : `${SCHEMAS}${text}`;
    const node = lookUp(document, $ref) === undefined ? text : { $ref };
    return [name, { document, pointer, node }] as const;
  });
  return new Map(entries);
}

const SCHEMAS = "#/components/schemas/";

/** The components that a schema chooses from, by name: those of its lists, and those that extend it. */
function componentsOf(schema: Place): Targets {
  const { document, pointer, node } = schema;
  const listed = ["oneOf", "anyOf"].flatMap((keyword) => toList(node[keyword]).map(refOf));
  const extending = Object.entries(toObject(toObject(document["components"])["schemas"]))
    .filter(([, component]) => toList(toObject(component)["allOf"]).map(refOf).includes(pointer))
    .map(([name]) => `${SCHEMAS}${name}`);
  const references = [...listed, ...extending].filter((target) => target.startsWith(SCHEMAS));
  return new Map(
    references.map(($ref) => [$ref.slice(SCHEMAS.length), { document, pointer, node: { $ref } }]),
  );
}

const refOf = (value: unknown): string => (isObject(value) ? String(value["$ref"]) : "");
