// Finds the secrets of a recorded exchange by the names of its headers, parameters and fields.
import { isObject } from "@call-media/contract-diff";
import type { ApiDocument } from "../document/document.ts";
import { type SecretName, type Secrets, toVariable } from "../http/secrets.ts";
import { toResponseBody, toRequestBody } from "./body.ts";
import { listHeaders, type TrafficEntry } from "./entry.ts";

const WORDS =
  /(?:^|_)(?:pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|jwt|api_?key|apikey|(?:access|private|secret|auth|client|signing|encryption)_key|credentials?|authorization|auth|signature|sig|csrf|xsrf|nonce|cookies?|session(?:_?(?:id|key))?|sid|otp|bearer|assertion|code_verifier)(?:_|$)/;
/** Cursors, and what only describes a secret. */
const HARMLESS =
  /(?:^|_)(?:(?:next|prev|previous|page|continuation|sync|cursor)_?(?:page_?)?token|.*_(?:type|types|count|at|in|on|expires|expiry|ttl|length|url|uri|endpoint|policy|name|enabled|required|method))$/;

/** True for a name such as `client_secret` or `X-Api-Key`. */
export function isTelling(name: string): boolean {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/g, "_").toLowerCase();
  return WORDS.test(words) && !HARMLESS.test(words);
}

/** Shorter values are flags and words. */
const SHORTEST = 4;
const MAX_DEPTH = 12;

type Secret = readonly [value: string, name: SecretName, isHeader: boolean];

/** All secrets of an exchange, each with the name that is shown instead. */
export function* listSecrets(entry: TrafficEntry, keys: ReadonlySet<string>): Generator<Secret> {
  const { request, response } = entry;
  const isKey = (name: string): boolean => keys.has(name.toLowerCase()) || isTelling(name);
  for (const [name, value] of [...listHeaders(request.headers), ...listHeaders(response.headers)])
    if (isKey(name)) yield [toHeaderValue(name, value), toName(name), true];
  const url = URL.parse(request.url);
  if (url !== null && url.password !== "") yield [decode(url.password), "$URL_KEY", false];
  for (const [name, value] of url?.searchParams ?? [])
    if (isKey(name) || (name === "code" && value.length > 12)) yield [value, toName(name), false];
  const { json } = toRequestBody(entry);
  yield* listFields(json, isKey, 0);
  const { content } = response;
  if (content?.text !== undefined && /[{[]/.test(content.text.slice(0, 8)))
    yield* listFields(parse(entry), isKey, 0);
  for (const [token] of `${request.url} ${content?.text ?? ""}`.matchAll(JWT))
    yield [token, "$TOKEN", false];
}

/** RFC 7519: two or three parts in base64url, of which the first is JSON. */
const JWT = /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g;

function parse(entry: TrafficEntry): unknown {
  try {
    const { bytes } = toResponseBody(entry, "application/json");
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined; // a body of another type has no fields
  }
}

function* listFields(
  value: unknown,
  isKey: (name: string) => boolean,
  depth: number,
): Generator<Secret> {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
  if (!isObject(value)) {
    for (const one of Object.values(value)) yield* listFields(one, isKey, depth + 1);
    return;
  }
  for (const [name, inner] of Object.entries(value))
    if ((typeof inner === "string" || typeof inner === "number") && isKey(name)) {
      const text = String(inner);
      if (text.length >= SHORTEST) yield [text, toName(name), false];
    } else yield* listFields(inner, isKey, depth + 1);
}

/** Without the attributes of a cookie. */
const toHeaderValue = (name: string, value: string): string =>
  /^set-cookie$/i.test(name) ? (value.split(";", 1)[0] ?? "") : value;

/** `$X_API_KEY`, in a form that a shell expands in a command to paste. */
function toName(name: string): SecretName {
  if (/^authorization$/i.test(name)) return "$TOKEN";
  const variable = toVariable(name).replace(/^_+|_+$/g, "");
  return /(?:TOKEN|KEY|ID)$/.test(variable) ? `$${variable}` : `$${variable}_KEY`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not percent-encoded
  }
}

/** The names of headers and parameters in which the document has its keys, in lower case. */
export const listKeys = ({ schemes }: ApiDocument): ReadonlySet<string> =>
  new Set(
    [...schemes.values()].filter(({ key }) => key !== "").map(({ key }) => key.toLowerCase()),
  );

export const addSecrets = (secrets: Secrets, all: Iterable<Secret>): void => {
  for (const [value, name, isHeader] of all)
    if (isHeader) secrets.addHeader(value, name);
    else secrets.add(value, name);
};
