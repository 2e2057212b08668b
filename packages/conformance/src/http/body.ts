// A body as it is sent: JSON, a form, or a form in parts, which may have files in it.
import { isObject } from "@call-media/contract-diff";
import { isJson, type Operation } from "../document/document.ts";
import { toText } from "../values/places.ts";

const FORM = "application/x-www-form-urlencoded";
export const PARTS = "multipart/form-data";
/** No value of the kit contains it. It is the same each time, so that a run can be repeated on its own recording. */
const BOUNDARY = "call-media-part-7d1f0c2e";

/** The type of an operation's body: JSON if it takes that, else a form; undefined for what can only be sent as it is. */
export function bodyTypeOf({ body }: Operation): string | undefined {
  const types = (body?.media ?? []).map(({ type }) => type);
  return types.find(isJson) ?? [FORM, PARTS].find((type) => types.includes(type));
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
  if (type !== PARTS) return { type, text: JSON.stringify(value) };
  const parts = fields.flatMap(([name, inner]) =>
    [inner].flat().map((one) => toPart(name, one, files.has(name))),
  );
  return {
    type: `${PARTS}; boundary=${BOUNDARY}`,
    text: [...parts, `--${BOUNDARY}--`, ""].join("\r\n"),
  };
}

/** `filter[name]=a` for an object (style deepObject), and a name for each item of an array. */
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
