// Mutants of envelopes, of error bodies, and of the encoding of JSON and of identifiers.
import {
  body,
  ERRORS,
  isJson,
  refused,
  when,
  whenAsked,
  withBody,
  withHeaders,
} from "../edits/answers.ts";
import { data, json, type JsonObject, records } from "../edits/json.ts";
import { identifierOf, withIdentifier } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { BASE64, METADATA, type Mutant, SEARCHES, toMutants } from "./mutant.ts";

const isBeyondAscii = ({ method, pathname }: ProxyRequest) =>
  method !== "POST" && /%[89a-f]/i.test(pathname);

const recoded =
  (edit: (body: Buffer) => Buffer | string): Mutate =>
  (answer) =>
    isJson(answer) ? withBody(answer, edit(answer.body)) : answer;

const rewritten = (edit: (text: string) => string) =>
  records((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === "string" ? edit(value) : value,
      ]),
    ),
  );

const ofError = (edit: (envelope: JsonObject) => JsonObject): Mutate =>
  when(ERRORS, (answer, { method }) =>
    method === "HEAD" || answer.body.length === 0
      ? answer
      : withBody(answer, JSON.stringify(edit(JSON.parse(answer.body.toString())))),
  );

export const asProblems = body(
  ERRORS,
  ({ status }) => JSON.stringify({ type: "about:blank", title: "Error", status }),
  "application/problem+json",
);

const moved: Mutate = (answer, request, { ask }) => {
  if (request.pathname === "/flags/public/") return ask({ ...request, pathname: "/flags/public" });
  return request.pathname === "/flags/public"
    ? withHeaders(withBody({ ...answer, status: 301 }, ""), { location: "/flags/public/" })
    : answer;
};

export const bodies: readonly Mutant[] = [
  ...toMutants("envelope", "interface", {
    "error-on-success": ["listUsers", json((envelope) => ({ ...envelope, isError: true }))],
    "message-on-success": [
      "getUserAddresses",
      json((envelope) => ({ ...envelope, errorMessage: "OK" })),
    ],
    "one-record-bare": [
      "getMetadataByCallId",
      "data is the record itself when there is one",
      data((found) => (Array.isArray(found) && found.length === 1 ? (found[0] ?? null) : found)),
    ],
    "bare-list": ["listPublicFlags", json((envelope) => envelope.data ?? [])],
    "data-as-text": ["getUserSecurityRights", data((content) => JSON.stringify(content))],
    "recording-in-list": ["getRecordingByReference", data((content) => [content])],
    "search-with-count": [
      "searchMetadata",
      json((envelope) => ({ ...envelope, pageID: 0, recordCount: 1 })),
    ],
    "token-in-envelope": [
      "createToken",
      json((token) => ({ isError: false, errorMessage: null, data: token })),
    ],
  }),
  ...toMutants("error body", "decision", {
    "error-without-is-error": [
      SEARCHES,
      "isError is false in errors",
      ofError((envelope) => ({ ...envelope, isError: false })),
    ],
    "error-without-message": [
      "listUsers",
      ofError((envelope) => ({ ...envelope, errorMessage: null })),
    ],
    "error-with-null-data": [
      "getUserAddresses",
      ofError((envelope) => ({ ...envelope, data: null })),
    ],
    "error-without-data": [BASE64, ofError(({ data: _data, ...others }) => others)],
    "error-with-code": [
      "listPrivateFlags",
      ofError((envelope) => ({ ...envelope, errorCode: "E1" })),
    ],
    "errors-as-problems": ["createToken", asProblems],
    "errors-as-html": [
      "getRecordingByCallId",
      body(ERRORS, "<!doctype html><title>Error</title>", "text/html"),
    ],
    "errors-empty": ["getChatByCallId", body(ERRORS, "", "application/json")],
    "error-names-no-field": [SEARCHES, when(400, refused(400, "Bad Request"))],
    "user-error-names-no-field": [
      ["listUsers", "getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
      when(400, refused(400, "Invalid parameter")),
    ],
  }),
  ...toMutants("encoding", "interface", {
    "json-with-byte-order-mark": ["listUsers", recoded((content) => `\ufeff${content.toString()}`)],
    "json-in-latin-1": [
      METADATA,
      recoded((content) =>
        Buffer.from(content.toString().replaceAll(/[^\0-\u00ff]/gu, "?"), "latin1"),
      ),
    ],
    "json-decoded-twice": [
      "getMetadataByCallId",
      "UTF-8 was read as Latin-1 and written as UTF-8 again",
      recoded((content) => content.toString("latin1")),
    ],
    "slash-in-identifier-lost": [
      ["getMetadataByCallId", "getRecordingByCallId", "streamRecordingByCallId"],
      whenAsked(({ pathname }) => /%2f/i.test(pathname), refused(404, "There is no such path.")),
    ],
    "identifier-in-ascii": [
      METADATA,
      "what is not ASCII in an identifier becomes a question mark",
      when(
        200,
        whenAsked(isBeyondAscii, (_answer, request, { ask }) =>
          ask(withIdentifier(request, identifierOf(request).replaceAll(/[^\0-\u007f]/gu, "?"))),
        ),
      ),
    ],
    "text-decomposed": ["getMetadataByReference", rewritten((text) => text.normalize("NFD"))],
    "text-escaped-for-html": [
      "getMetadataByCallId",
      rewritten((text) => text.replaceAll("&", "&amp;").replaceAll("'", "&#39;")),
    ],
    "field-twice": [
      "listPublicFlags",
      "errorMessage stands in the envelope twice",
      when(200, (answer) =>
        answer.body.length > 0
          ? withBody(answer, answer.body.toString().replace(/^\{/, '{"errorMessage":null,'))
          : answer,
      ),
    ],
  }),
  ...toMutants("encoding", "decision", {
    "json-path-moved": ["every", "/flags/public sends on to /flags/public/", moved],
  }),
];
