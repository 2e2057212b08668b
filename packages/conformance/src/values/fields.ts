// The possible content of a request: the fields of its body, their schemas, and the key of a thing.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Ask } from "../ask.ts";
import type { ApiDocument, Media, Operation, Parameter } from "../document/document.ts";
import type { Schemas, View } from "../document/schemas.ts";
import { bodyTypeOf, PARTS } from "../http/body.ts";
import { at, reachNamed } from "./places.ts";

/** The media type in which an operation's body is sent: JSON, or a form. */
export const mediaOf = (operation: Operation): Media | undefined =>
  operation.body?.media.find(({ type }) => type === bodyTypeOf(operation));

/** Body fields that are files: bytes instead of the text of a value. */
export function filesOf({ schemas }: ApiDocument, operation: Operation): ReadonlySet<string> {
  const { schema, type } = mediaOf(operation) ?? {};
  if (schema === undefined || type !== PARTS) return new Set();
  const files = [...schemas.view(schema).properties].filter(([, pointer]) => {
    const { said, items } = schemas.view(pointer);
    const { format, contentMediaType } = items === undefined ? said : schemas.view(items).said;
    return format === "binary" || contentMediaType !== undefined;
  });
  return new Set(files.map(([name]) => name));
}

interface Documented {
  readonly document: ApiDocument;
}

/** The schemas of the body fields of an operation, by place. Without fields that only the service writes. */
export function bodyFields(
  { document: { schemas } }: Documented,
  operation: Operation,
): ReadonlyMap<string, string> {
  const schema = mediaOf(operation)?.schema;
  return new Map(schema === undefined ? [] : listFields(schemas, schema, []));
}

/** Wrappers around the fields of a thing, such as `{ ticket: { ... } }`, and the members that other formats use for this. */
const WRAPPERS = /^(?:attributes|metadata|properties)$/;
/** Members next to a thing in its wrapper. */
export const ASIDE = /^(?:_?links|meta|included|errors?)$/i;
const MAX_WRAPPERS = 3;

function* listFields(
  schemas: Schemas,
  schema: string,
  above: readonly string[],
): Generator<readonly [place: string, schema: string]> {
  const view = schemas.view(schema);
  const [choice] = view.choices;
  const all = new Map([
    ...(choice === undefined ? [] : schemas.view(choice).properties),
    ...view.properties,
  ]);
  const things = [...all.keys()].filter((name) => !ASIDE.test(name));
  for (const [name, pointer] of all) {
    const inner = schemas.view(pointer);
    if (isGivenOut(inner)) continue;
    const place = [...above, name];
    const isLone = things.length === 1 && things[0] === name;
    const isWrapper = (isLone || WRAPPERS.test(name)) && above.length < MAX_WRAPPERS;
    if (isWrapper && inner.properties.size > 0) yield* listFields(schemas, pointer, place);
    else yield [place.join("/"), pointer];
  }
}

/** True if only the service writes it: some documents say so only in the description. */
export const isGivenOut = ({ said: { readOnly, description } }: View): boolean =>
  readOnly === true ||
  (typeof description === "string" &&
    /(?:^|[.([*]\s*)read[- ]only(?:[.)\]*:]|$)/i.test(description));

/** True for a map from names to values: the document does not say which names there are. */
const isMap = ({ properties, values }: View): boolean =>
  properties.size === 0 && values !== undefined;

/** Fields with their schemas, and instead of a map those members of it that have a value. */
export const withMembers = (
  { schemas }: ApiDocument,
  fields: Iterable<readonly [place: string, schema: string]>,
  values: JsonObject,
): readonly (readonly [place: string, schema: string])[] =>
  [...fields].flatMap(([place, schema]) => {
    const members = Object.keys(values).filter((one) => one.startsWith(`${place}/`));
    const inner = members.flatMap((one) => {
      const found = memberOf(schemas.view(schema), one.slice(place.length + 1));
      return found === undefined ? [] : [[one, found] as const];
    });
    return inner.length > 0 ? inner : [[place, schema] as const];
  });

/** The schema of a member of an object, which may be a map. */
export const memberOf = ({ properties, values }: View, name: string): string | undefined =>
  properties.get(name) ?? values;

/** The places of all values in a body: documented fields, members of maps, and others. */
export function placesOf(
  documented: Documented,
  operation: Operation,
  body: JsonObject,
): readonly string[] {
  const { schemas } = documented.document;
  const known = [...bodyFields(documented, operation)].flatMap(([place, schema]) => {
    const value = at(body, place);
    if (value === undefined) return [];
    const members = isMap(schemas.view(schema)) && isObject(value) ? Object.keys(value) : [];
    const inner = members.filter((name) => !name.includes("/")).map((name) => `${place}/${name}`);
    return inner.length > 0 && inner.length === members.length ? inner : [place];
  });
  const others = Object.keys(body).filter(
    (name) => !known.some((place) => place === name || place.startsWith(`${name}/`)),
  );
  return [...known, ...others];
}

/** The values of body fields in a response, by their places in the body: as sent, unwrapped, in another wrapper or notation. */
export function toShown(places: readonly string[], json: unknown): JsonObject {
  const inner = isObject(json) ? Object.values(json).map((one) => [one].flat()[0]) : [];
  const depth = Math.max(0, ...places.map((place) => place.split("/").length - 1));
  const views = [json, ...inner].flatMap((root) =>
    Array.from({ length: depth + 1 }, (_, cut) =>
      places.flatMap((place) => {
        const steps = place.split("/");
        const found = reachNamed(root, steps.slice(Math.min(cut, steps.length - 1)).join("/"));
        return found.length === 0 ? [] : [[place, found[0]] as const];
      }),
    ),
  );
  const best = views.reduce((most, one) => (one.length > most.length ? one : most), []);
  return Object.fromEntries(best);
}

/** The schema of a parameter, or of a field of the body for `body/agent`. */
export function schemaOf(
  documented: Documented,
  operation: Operation,
  name: string,
): string | undefined {
  const [, field] = /^body\/(.+)$/.exec(name) ?? [];
  return field === undefined
    ? operation.parameters.find((one) => one.name === name)?.schema
    : bodyFields(documented, operation).get(field);
}

/** The same request for the thing with this key. */
export const withKey = (ask: Ask, { name, in: where }: Parameter, key: unknown): Ask =>
  where === "path"
    ? { ...ask, path: { ...ask.path, [name]: key } }
    : { ...ask, query: { ...ask.query, [name]: key } };
