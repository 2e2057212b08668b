// Values that a schema permits: one to send, hard ones, and one different from another value.
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@call-media/contract-diff";
import type { Schemas, View } from "../document/schemas.ts";
import { isGivenOut, memberOf } from "./fields.ts";
import { toMatching } from "./pattern.ts";

/** An identifier that no thing has. */
export const UNKNOWN_UUID = "99999999-9999-4999-8999-999999999999";
/** A word that no text contains. */
export const UNKNOWN_WORD = "Qqzzxxvv";
/** Text that is often encoded, sent, stored or compared incorrectly. */
export const HARD_TEXT = `Zoë ☂ 漢 "'<&> \u{1f980} end`;

const MAX_DEPTH = 6;

export function isFit(schemas: Schemas, pointer: string, value: unknown): boolean {
  try {
    return schemas.validatorOf(pointer, "request")(value).length === 0;
  } catch {
    return true; // a schema that cannot be compiled refuses nothing
  }
}

/** Examples of the document that fit their own schema, since some do not. */
export function examplesOf(schemas: Schemas, pointer: string): readonly unknown[] {
  const { said } = schemas.view(pointer);
  const listed = Array.isArray(said["examples"]) ? said["examples"] : [];
  return [said["example"], ...listed, said["default"]].filter(
    (one) => one !== undefined && isFit(schemas, pointer, one),
  );
}

interface How {
  /** Leaves out what is not required, and with `bare` also the items of lists. */
  readonly isLeast: boolean | "bare";
  readonly depth: number;
}

/** A value that the schema permits, with every field that may be sent or only the required ones. */
export function make(schemas: Schemas, pointer: string, isLeast: How["isLeast"] = false): unknown {
  return makeInner(schemas, pointer, { isLeast, depth: 0 });
}

function makeInner(schemas: Schemas, pointer: string, how: How): unknown {
  const view = schemas.view(pointer);
  const { said, choices } = view;
  if (said["const"] !== undefined) return said["const"];
  const [example] = examplesOf(schemas, pointer);
  // Examples have optional fields, and generators write `{}` as the default of every object.
  const isBare =
    view.properties.size > 0 && (how.isLeast !== false || isDeepStrictEqual(example, {}));
  if (example !== undefined && !isBare) return example;
  if (Array.isArray(said["enum"])) return said["enum"][0];
  const [choice] = choices;
  if (choice !== undefined && view.properties.size === 0) return makeInner(schemas, choice, how);
  switch (typeOf(view)) {
    case "object":
      return makeObject(schemas, view, how);
    case "array":
      return view.items === undefined || how.depth > MAX_DEPTH
        ? []
        : Array.from(
            { length: Math.max(how.isLeast === "bare" ? 0 : 1, Number(said["minItems"] ?? 0)) },
            () => makeInner(schemas, view.items ?? pointer, { ...how, depth: how.depth + 1 }),
          );
    case "integer":
    case "number":
      return toNumber(view);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return makeText(view);
  }
}

function makeObject(
  schemas: Schemas,
  { properties, required, values, named }: View,
  { isLeast, depth }: How,
): unknown {
  const isFull = isLeast === false && depth < MAX_DEPTH;
  const entries = [...properties].filter(
    ([name, inner]) =>
      !isGivenOut(schemas.view(inner)) && !/^_?links$/.test(name) && (required.has(name) || isFull),
  );
  // For a map from names to values, one entry suffices.
  if (isFull && properties.size === 0 && values !== undefined) entries.push(["probe", values]);
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name,
      named.get(name) ?? makeInner(schemas, inner, { isLeast, depth: depth + 1 }),
    ]),
  );
}

export function typeOf(view: View): string {
  const type = view.types.find((one) => one !== "null");
  if (type !== undefined) return type;
  if (view.properties.size > 0) return "object";
  return view.items === undefined ? (view.types[0] ?? "string") : "array";
}

function toNumber({ said }: View): number {
  const least = Number(said["minimum"] ?? Number(said["exclusiveMinimum"] ?? 0) + 1);
  const step = Number(said["multipleOf"] ?? 1);
  const made = Math.max(least, 1);
  const most = Number(said["maximum"] ?? made);
  return Math.min(Math.ceil(made / step) * step, most);
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "00000000-0000-4000-8000-000000000001",
  date: "2031-03-07",
  "date-time": "2031-03-07T10:00:00Z",
  time: "10:00:00Z",
  email: "probe@example.org",
  uri: "https://example.org/probe",
  byte: "cHJvYmU=",
};

function makeText({ said }: View): string {
  const { format, pattern, minLength = 0, maxLength = Infinity } = said;
  const known = typeof format === "string" ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  const matching = typeof pattern === "string" ? toMatching(pattern) : undefined;
  if (matching !== undefined) return matching;
  return "probe".padEnd(Number(minLength), "x").slice(0, Number(maxLength));
}

/** The value with a new name in all its free texts. A text in a restricted format is unchanged. */
export function rename(
  schemas: Schemas,
  pointer: string,
  { value, name }: { readonly value: unknown; readonly name: string },
): unknown {
  const view = schemas.view(pointer);
  const { said } = view;
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const schema = memberOf(view, key);
        return [
          key,
          schema === undefined ? inner : rename(schemas, schema, { value: inner, name }),
        ];
      }),
    );
  if (typeof value !== "string" || said["enum"] !== undefined || said["const"] !== undefined)
    return value;
  const { format } = said;
  if (format !== undefined && !FORMS.some((one) => one.formats.has(format))) return value;
  // `EUR`, `10:30` and a date have a format that the schema does not state.
  if (format === undefined && /^(?:[A-Z]{1,4}|[\d\W]+|\d{4}-\d\d-\d\dT\S+)$/.test(value))
    return value;
  const forms = FORMS.filter(({ formats, like }) =>
    format === undefined ? like.test(value) : formats.has(format),
  ).map(({ write }) => write(name));
  // Some patterns allow no hyphen.
  const names = [name, name.replaceAll("-", "_"), name.replaceAll("-", "")];
  const fits = [...forms, ...(format === undefined ? names : [])].map((made) => {
    const text = made.slice(-Number(said["maxLength"] ?? made.length));
    return text.padEnd(Number(said["minLength"] ?? 0), "x");
  });
  return fits.find((one) => isFit(schemas, pointer, one)) ?? value;
}

interface Form {
  readonly formats: ReadonlySet<unknown>;
  /** Matches texts without a declared format that look like it. */
  readonly like: RegExp;
  readonly write: (name: string) => string;
  /** Another text of the form. */
  readonly turn: (text: string) => string;
}

/** Formats with room for a name. */
const FORMS: readonly Form[] = [
  {
    // The content of a file.
    formats: new Set<unknown>(["binary"]),
    like: /^(?!)/,
    write: (name) => name,
    turn: (text) => `${text}-2`,
  },
  {
    formats: new Set<unknown>(["email", "idn-email"]),
    like: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
    write: (name) => `${name}@example.org`,
    turn: (text) => text.replace("@", "-2@"),
  },
  {
    formats: new Set<unknown>(["uri", "url", "iri", "uri-reference"]),
    like: /^https?:\/\//,
    write: (name) => `https://example.org/${name}`,
    turn: (text) => `${text}-2`,
  },
  {
    formats: new Set<unknown>(["hostname", "idn-hostname"]),
    like: /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/i,
    write: (name) => `${name}.example.org`,
    turn: (text) => `two.${text}`,
  },
];

/** Valid values that break services: bounds, each enum member, fractions, text in many scripts. Excludes the plain value. */
export function hardValues(schemas: Schemas, pointer: string): readonly unknown[] {
  const view = schemas.view(pointer);
  const { said } = view;
  const listed = Array.isArray(said["enum"]) ? said["enum"] : [];
  const type = typeOf(view);
  const made = [
    ...listed.slice(1),
    ...(type === "boolean" ? [false] : []),
    ...(type === "number" ? [12.75, said["minimum"], said["maximum"]] : []),
    ...(type === "integer" ? [said["minimum"], said["maximum"]] : []),
    ...(type === "string" && listed.length === 0 ? hardTexts(view) : []),
  ];
  return made.filter((value) => value !== undefined && isFit(schemas, pointer, value));
}

function hardTexts({ said }: View): unknown[] {
  const { format, pattern, maxLength } = said;
  if (format === "date") return ["2032-02-29"];
  if (format !== undefined || pattern !== undefined) return [];
  const longest =
    typeof maxLength === "number" && maxLength <= 4_000 ? ["x".repeat(maxLength)] : [];
  return [HARD_TEXT.slice(0, Number(maxLength ?? HARD_TEXT.length)), ...longest];
}

/** A value other than `was` that the schema also permits; undefined if none was found. */
export function change(schemas: Schemas, pointer: string, was: unknown): unknown {
  const view = schemas.view(pointer);
  const numbers = typeof was === "number" ? [was + 1, was - 1, was + 0.5] : [];
  const other = Array.isArray(was) && view.items ? change(schemas, view.items, was[0]) : undefined;
  const lists = Array.isArray(was)
    ? [...(other === undefined ? [] : [[other]]), was.slice(0, -1), [...was, ...was]]
    : [];
  const texts = typeof was === "string" ? [/\s/.test(was) ? `${was} 2` : `${was}-2`] : [];
  // The schema may not say that a text is an address, and the service knows.
  const alike = view.said["format"] === undefined ? toAlike(was) : undefined;
  if (alike !== undefined && isFit(schemas, pointer, alike)) return alike;
  const candidates = [
    ...examplesOf(schemas, pointer),
    ...hardValues(schemas, pointer),
    ...numbers,
    ...(typeof was === "boolean" ? [!was] : []),
    ...(typeOf(view) === "string" && view.said["format"] === undefined ? texts : []),
    make(schemas, pointer),
    ...(isObject(was) && view.values !== undefined
      ? [{ ...was, other: make(schemas, view.values) }]
      : []),
  ];
  return [...lists, ...candidates].find(
    (one) => !isDeepStrictEqual(one, was) && isFit(schemas, pointer, one),
  );
}

/** Another address of the same form: an e-mail address, a URL or a host. */
const toAlike = (was: unknown): string | undefined =>
  typeof was === "string" ? FORMS.find(({ like }) => like.test(was))?.turn(was) : undefined;
