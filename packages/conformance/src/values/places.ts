// Places: where a value is in a row or response, such as `data/*/id`, and in a request, such as `limit` or `body/agent`.
import { isObject } from "@call-media/contract-diff";

/** All values at a place. `*` stands for each element of an array, or each field of an object, a number for one element. */
export function reach(value: unknown, place: string): unknown[] {
  if (place === "") return [value];
  return place
    .split("/")
    .reduce<unknown[]>((found, key) => found.flatMap((one) => step(one, key)), [value]);
}

export const at = (value: unknown, place: string): unknown => reach(value, place)[0];

function step(value: unknown, key: string): unknown[] {
  if (key === "*")
    return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value.slice(Number(key)).slice(0, 1) : [];
  const inner: unknown = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return inner === undefined ? [] : [inner];
}

/** `ServiceSid` in a path or a form is `service_sid` in a row. */
export const toBare = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();

/** Like {@link reach}. If no field has the name, uses the field with that name in another notation. */
export function reachNamed(value: unknown, place: string): unknown[] {
  return place.split("/").reduce<unknown[]>(
    (found, key) =>
      found.flatMap((one) => {
        const inner = step(one, key);
        if (inner.length > 0 || !isObject(one)) return inner;
        const alike = Object.keys(one).filter((name) => toBare(name) === toBare(key));
        return alike.length === 1 ? alike.flatMap((name) => step(one, name)) : [];
      }),
    [value],
  );
}

/** The value with a replaced inner value at a place. */
export function withValue(value: unknown, place: string, inner: unknown): unknown {
  const [name = "", ...rest] = place.split("/");
  const fields = isObject(value) ? value : {};
  return {
    ...fields,
    [name]: rest.length === 0 ? inner : withValue(fields[name], rest.join("/"), inner),
  };
}

/** The value without the inner value at a place. */
export function withoutValue(value: unknown, place: string): unknown {
  const [name = "", ...rest] = place.split("/");
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...value, [name]: withoutValue(inner, rest.join("/")) };
}

/** An object with these values at their places. */
export const toObject = (entries: Iterable<readonly [place: string, value: unknown]>): unknown =>
  [...entries].reduce<unknown>((made, [place, value]) => withValue(made, place, value), {});

export type Leaf = readonly [place: string, value: unknown];

/** All values that are no objects and no arrays, with their places. */
export const listLeaves = (value: unknown, place = ""): readonly Leaf[] =>
  typeof value !== "object" || value === null
    ? [[place, value]]
    : Object.entries(value).flatMap(([name, inner]) => {
        const last = Array.isArray(value) ? "*" : name;
        return listLeaves(inner, place === "" ? last : `${place}/${last}`);
      });

/** Converts a place in a response to one in its rows: `data/*\/id` is `id` if the rows are the items of `data`. */
export function toRowPlace(place: string, items: string): string {
  const prefix = items === "" ? "*/" : `${items}/*/`;
  return place.startsWith(prefix) ? place.slice(prefix.length) : place;
}

/** The name of a header, for `header:Link`. */
export const headerOf = (place: string): string | undefined =>
  place.startsWith("header:") ? place.slice("header:".length) : undefined;

/** The value that a request has for a parameter, or for a field of its body: `body/agent`. */
export function toQueryValue(
  { query, body }: { readonly query?: Json; readonly body?: unknown },
  name: string,
): unknown {
  const [, field] = /^body\/(.+)$/.exec(name) ?? [];
  return field === undefined ? query?.[name] : at(body, field);
}

type Json = Readonly<Record<string, unknown>>;

/** A text for a value in a path, a query or a header. */
export const toText = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

/** A value for a sentence: JSON, truncated to 60 characters. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

// The same rows are compared hundreds of times.
const identities = new WeakMap<object, string>();

/** Equal texts for equal values, in any order of fields. An object that is changed later keeps its first text. */
export function toIdentity(value: unknown): string {
  const known = isObject(value) ? identities.get(value) : undefined;
  if (known !== undefined) return known;
  const identity = JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
  if (isObject(value)) identities.set(value, identity);
  return identity;
}
