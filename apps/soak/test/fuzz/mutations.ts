// What can be wrong with a request: one named change each, to be put on a right one.
import * as fc from "fast-check";
import { headerOf, type Probe, withHeader } from "./probe.ts";
import { createNastyText } from "./texts.ts";

/** `text` and `at` are what the change is made with, and where. */
export type Mutation = (probe: Probe, { text, at }: Material) => Probe;

export interface Material {
  readonly text: string;
  readonly at: number;
}

const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "OPTIONS",
  "PUT",
  "PATCH",
  "DELETE",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "SPY",
];

const TYPES = [
  "text/plain",
  "application/json; charset=latin1",
  'application/json;charset="utf-8"',
  "application/jsonx",
  "multipart/form-data; boundary=x",
  "",
];

const ACCEPTS = [
  "*/*",
  "text/html",
  "application/json;q=0",
  "audio/*",
  "image/png, */*;q=0.1",
  ",",
  "é",
];

const HEADERS = [
  "Authorization",
  "Cookie",
  "Content-Encoding",
  "Expect",
  "Forwarded",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "If-Range",
  "Origin",
  "Prefer",
  "Range",
  "Sec-Fetch-Site",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "X-HTTP-Method-Override",
  "X-Request-Id",
  "traceparent",
];

export const MUTATIONS = {
  method: (probe, { at }) => ({ ...probe, method: pick(METHODS, at) }),
  "path cut": (probe, { at }) => onPath(probe, (path) => path.slice(0, 1 + (at % path.length))),
  "path grown": (probe, { text }) => onPath(probe, (path) => `${path}/${toTarget(text)}`),
  "path bytes": (probe, { text, at }) => onPath(probe, (path) => insert(path, at, toTarget(text))),
  "identifier replaced": (probe, { text }) =>
    onPath(probe, (path) => path.replace(/[^/]*$/, () => encode(text))),
  "encoding broken": (probe, { at }) =>
    onPath(probe, (path) =>
      insert(path, at, pick(["%", "%2", "%zz", "%c0%af", "%ed%a0%80", "%00"], at)),
    ),
  dots: (probe, { at }) =>
    onPath(probe, (path) => insert(path, at, pick(["/../", "/./", "%2e%2e/", "//", ";x=1"], at))),
  "parameter dropped": (probe, { at }) =>
    onQuery(probe, (pairs) => pairs.toSpliced(at % (pairs.length || 1), 1)),
  "parameter doubled": (probe, { at }) =>
    onQuery(probe, (pairs) => [...pairs, pairs[at % (pairs.length || 1)] ?? "status=all"]),
  "parameter value": (probe, { text, at }) =>
    onQuery(probe, (pairs) =>
      pairs.with(at % (pairs.length || 1), `${nameOf(pairs, at)}=${encode(text)}`),
    ),
  "parameter name": (probe, { text, at }) =>
    onQuery(probe, (pairs) => pairs.with(at % (pairs.length || 1), `${encode(text)}=1`)),
  "query bytes": (probe, { text }) => ({ ...probe, target: `${probe.target}?${toTarget(text)}` }),
  "credentials dropped": (probe) => withHeader(probe, "Authorization", undefined),
  "credentials changed": (probe, { text }) =>
    withHeader(probe, "Authorization", `Bearer ${toField(text)}`),
  "other scheme": (probe, { text }) => withHeader(probe, "Authorization", toField(text)),
  accept: (probe, { at }) => withHeader(probe, "Accept", pick(ACCEPTS, at)),
  "content type": (probe, { at }) => withHeader(probe, "Content-Type", pick(TYPES, at)),
  "content encoding": (probe, { at }) =>
    withHeader(probe, "Content-Encoding", pick(["gzip", "identity", "br, gzip", ""], at)),
  header: (probe, { text, at }) => withHeader(probe, pick(HEADERS, at), toField(text)),
  "header twice": (probe, { at }) => {
    const given = probe.headers[at % (probe.headers.length || 1)];
    return given === undefined ? probe : { ...probe, headers: [...probe.headers, given] };
  },
  "many headers": (probe, { at }) => ({
    ...probe,
    headers: [
      ...probe.headers,
      ...Array.from({ length: at % 120 }, (_, n) => [`X-${n}`, "x"] as const),
    ],
  }),
  "long header": (probe, { at }) => withHeader(probe, "X-Long", "x".repeat(at % 40_000)),
  "long path": (probe, { at }) => onPath(probe, (path) => `${path}${"x".repeat(at % 20_000)}`),
  "body dropped": (probe) => ({ ...probe, body: undefined }),
  "body where there is none": (probe, { text }) => ({ ...probe, body: Buffer.from(text) }),
  "body cut": (probe, { at }) => onBody(probe, (body) => body.subarray(0, at % (body.length + 1))),
  "body bytes": (probe, { text, at }) =>
    onBody(probe, (body) => Buffer.from(insert(body.toString("latin1"), at, text), "latin1")),
  "body not UTF-8": (probe, { at }) =>
    onBody(probe, (body) => Buffer.concat([body, Buffer.from([0x80 + (at % 128)])])),
  "byte order mark": (probe) =>
    onBody(probe, (body) => Buffer.concat([Buffer.from("\ufeff"), body])),
  "body large": (probe, { at }) =>
    onBody(probe, (body) => Buffer.concat([body, Buffer.alloc(at % 140_000, " ")])),
  "field replaced": (probe, { at }) =>
    onFields(probe, (fields) => fields.map(([name]) => [name, pick(VALUES, at)])),
  "field added": (probe, { text, at }) =>
    onFields(probe, (fields) => [...fields, [text, pick(VALUES, at)]]),
  "field doubled": (probe, { at }) =>
    onFields(probe, (fields) => [...fields, [fields[0]?.[0] ?? "agent", pick(VALUES, at)]]),
  "field renamed": (probe, { at }) =>
    onFields(probe, (fields) =>
      fields.map(([name, value]) => [`${name}${pick([" ", "\u0000", "_", "é"], at)}`, value]),
    ),
  prototype: (probe, { at }) =>
    onFields(probe, (fields) => [
      ...fields,
      [pick(["__proto__", "constructor", "toString", "hasOwnProperty"], at), '{"agent":"x"}'],
    ]),
  "nested deep": (probe, { at }) =>
    onBody(probe, () =>
      Buffer.from(`${"[".repeat(at % 60_000)}${"]".repeat(at % 60_000)}`.slice(0, 65_000)),
    ),
} satisfies Record<string, Mutation>;

/** JSON texts that a field is not meant to have. */
const VALUES = [
  "null",
  "true",
  "-1",
  "0",
  "1e400",
  "9007199254740993",
  "123456789012345678901234567890",
  "0.5",
  "-0",
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  '"%_*"',
  '"\\" OR 1=1 --"',
  '"NEAR(a b)"',
  "[]",
  "{}",
  '{"a":{"a":{"a":[]}}}',
  `"${"y".repeat(5_000)}"`,
];

export function createMaterial(): fc.Arbitrary<Material> {
  return fc.record({ text: createNastyText(), at: fc.nat(200_000) });
}

function onPath(probe: Probe, change: (path: string) => string): Probe {
  const [path = "/", ...query] = probe.target.split("?");
  return { ...probe, target: [change(path), ...query].join("?") };
}

function onQuery(probe: Probe, change: (pairs: readonly string[]) => readonly string[]): Probe {
  const [path = "/", query = ""] = probe.target.split("?");
  const pairs = query === "" ? ["x=1"] : query.split("&");
  return { ...probe, target: `${path}?${change(pairs).join("&")}` };
}

function nameOf(pairs: readonly string[], at: number): string {
  return pairs[at % (pairs.length || 1)]?.split("=")[0] ?? "";
}

// To a request without a body a small one is given, as a careless client would.
function onBody(probe: Probe, change: (body: Buffer) => Uint8Array): Probe {
  const typed =
    headerOf(probe, "Content-Type") === undefined
      ? withHeader(probe, "Content-Type", "application/json")
      : probe;
  return { ...typed, body: change(Buffer.from(probe.body ?? "{}")) };
}

type Fields = readonly (readonly [name: string, json: string])[];

// By hand: JSON.stringify writes no name twice.
function onFields(probe: Probe, change: (fields: Fields) => Fields): Probe {
  return onBody(probe, (body) => {
    const fields = Object.entries(toObject(body)).map(
      ([name, value]) => [name, toJson(value)] as const,
    );
    const texts = change(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
    return Buffer.from(`{${texts.join(",")}}`);
  });
}

// The contract's bodies are flat; what another change has nested may be deeper than JSON.stringify goes.
function toJson(value: unknown): string {
  return typeof value === "object" ? "{}" : JSON.stringify(value);
}

// Another change may have come before.
function toObject(body: Buffer): object {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

function pick<T>(choices: readonly [T, ...T[]] | readonly T[], at: number): T {
  return choices[at % choices.length] as T; // there is at least one
}

function insert(text: string, at: number, piece: string): string {
  const place = at % (text.length + 1);
  return `${text.slice(0, place)}${piece}${text.slice(place)}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** As bytes that an HTTP client lets into a target, otherwise unencoded. */
function toTarget(text: string): string {
  return Buffer.from(text)
    .toString("latin1")
    .replace(/[^\x21-\xff]/g, encodeURIComponent);
}

/** As bytes that an HTTP client lets into the value of a header. */
function toField(text: string): string {
  return Buffer.from(text)
    .toString("latin1")
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, "");
}
