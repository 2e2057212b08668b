// Encodes a body: JSON, a URL-encoded or multipart form (which may contain files), or raw text or bytes.
import { isObject } from "@call-media/contract-diff";
import { isJson, JSON_TYPE, type Operation } from "../document/document.ts";
import { toText } from "../values/places.ts";

const FORM = "application/x-www-form-urlencoded";
export const PARTS = "multipart/form-data";
/** No value of the kit contains it. It is constant, so that a run can be replayed on its own recording. */
const BOUNDARY = "call-media-part-7d1f0c2e";

/** The kit cannot write these: XML, and patches that are lists of steps. */
const UNKNOWN = /[/+]xml$|patch\+(?:yaml|xml)$|^application\/json-patch\+json$/;
/** Best first. */
const KNOWN = [/^application\/json$/, /^application\/merge-patch\+json$/, JSON_TYPE, FORM, PARTS];

/** The type of an operation's body: JSON if accepted, else a form, else the first type it accepts. Undefined if there is none. */
export function bodyTypeOf({ body }: Operation): string | undefined {
  const types = (body?.media ?? []).map(({ type }) => type).filter((type) => !UNKNOWN.test(type));
  const isOf = (known: string | RegExp) => (type: string) =>
    typeof known === "string" ? type === known : known.test(type);
  return KNOWN.map((known) => types.find(isOf(known))).find(Boolean) ?? types[0];
}

interface Encoded {
  readonly type: string;
  readonly text: string;
}

/** `files`: fields whose value is the content of a file. */
export function encodeBody(type: string, value: unknown, files: ReadonlySet<string>): Encoded {
  const fields = isObject(value) ? Object.entries(value) : [];
  if (type === FORM) {
    const pairs = fields.flatMap(([name, inner]) => [...toPairs(name, inner)]);
    return { type, text: new URLSearchParams(pairs).toString() };
  }
  if (isJson(type)) return { type, text: JSON.stringify(value) };
  if (type !== PARTS) return toPlain(type, value);
  const parts = fields.flatMap(([name, inner]) =>
    [inner].flat().map((one) => toPart(name, one, files.has(name))),
  );
  return {
    type: `${PARTS}; boundary=${BOUNDARY}`,
    text: [...parts, `--${BOUNDARY}--`, ""].join("\r\n"),
  };
}

/** Any type may be JSON. */
function toPlain(type: string, value: unknown): Encoded {
  const isRange = type.endsWith("/*");
  if (typeof value === "object" && isRange) return encodeBody("application/json", value, new Set());
  return { type: isRange ? "application/octet-stream" : type, text: toText(value) };
}

/** `filter[name]=a` for an object (style deepObject); repeated names for an array. */
function* toPairs(name: string, value: unknown): Generator<[string, string]> {
  if (Array.isArray(value)) for (const one of value) yield* toPairs(name, one);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) yield* toPairs(`${name}[${key}]`, inner);
  else if (value !== undefined && value !== null) yield [name, toText(value)];
}

function toPart(name: string, value: unknown, isFile: boolean): string {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`;
  if (isFile)
    return `${head}; filename="probe.bin"\r\nContent-Type: application/octet-stream\r\n\r\n${toText(value)}`;
  return isObject(value)
    ? `${head}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}`
    : `${head}\r\n\r\n${toText(value)}`;
}
