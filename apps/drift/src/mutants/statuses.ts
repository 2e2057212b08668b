// Mutants of the response status, and those that reject valid requests or fail on them.
import { answered, refused, status, toErrorAnswer, when, whenAsked } from "../edits/answers.ts";
import { whenEmpty } from "../edits/json.ts";
import { filterOf, queryOf } from "../edits/requests.ts";
import type { Answer, Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { METADATA, type Mutant, RECORDINGS, SEARCHES, STREAMS, toMutants } from "./mutant.ts";

const EVERY_SEVENTH = 7;
const NOTHING = Buffer.alloc(0);

const failing = (code: number) => refused(code, "the request cannot be answered");

const crashes: Mutate = (answer) =>
  answer.status === 401 ? answer : toErrorAnswer(answer, 500, "The service failed.");

/** Fails on a filter of only this field. */
const failingOn = (field: string, code: number) =>
  whenAsked((request) => Object.keys(filterOf(request) ?? {}).join() === field, failing(code));

const failingBeyond = (pageIndex: number, code: number) =>
  whenAsked((request) => {
    const asked = queryOf(request, "pageIndex");
    return /^\d+$/.test(asked) && Number(asked) > pageIndex;
  }, failing(code));

const isForeign = ({ pathname }: ProxyRequest) => /%[89A-F][\dA-F]/i.test(pathname);
const hasApostrophe = ({ pathname, body }: ProxyRequest) =>
  /'|%27/.test(pathname) || body.includes("'");

// Only one check uses this service.
const listsOf = new WeakMap<Upstream, number>();

const seventhFails: Mutate = (answer, request, upstream) => {
  const count = (listsOf.get(upstream) ?? 0) + 1;
  listsOf.set(upstream, count);
  return count % EVERY_SEVENTH === 0 ? failing(500)(answer, request, upstream) : answer;
};

const toSignIn = (answer: Answer): Answer => ({
  ...answer,
  status: 302,
  headers: { location: "/sign-in", "content-length": "0" },
  body: NOTHING,
});

export const NO_RECORDING = answered(200, {
  data: { success: false, filename: "", base64: "" },
});
const NO_STREAM = { "content-type": "application/octet-stream", "content-length": "0" };

export const statuses: readonly Mutant[] = [
  ...toMutants("status", "decision", {
    "found-nothing-204": [
      "getChatByCallId",
      whenEmpty(() => ({ status: 204, headers: {}, body: NOTHING })),
    ],
    "found-nothing-404": ["getMetadataByCallId", whenEmpty(refused(404, "call_id is unknown"))],
    "unknown-user-404": ["getUserAddresses", whenEmpty(refused(404, "user_id is unknown"))],
    "search-201": ["searchMetadata", status(200, 201)],
    "token-201": ["createToken", status(200, 201)],
    "bad-search-200": ["searchMetadata", status(400, 200)],
    "bad-user-id-422": [
      ["getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
      status(400, 422),
    ],
    "no-recording-200": ["getRecordingByCallId", when(404, NO_RECORDING)],
    "no-stream-empty-200": [
      STREAMS,
      when(404, (answer) => ({ ...answer, status: 200, headers: NO_STREAM, body: NOTHING })),
    ],
    "wrong-method-404": ["every", status(405, 404)],
    "unknown-path-200": [
      "every",
      whenAsked(({ operation }) => operation === undefined, when(404, answered(200, { data: [] }))),
    ],
    "head-of-json-405": [
      ["listUsers", "listPublicFlags"],
      (answer, { method }) => (method === "HEAD" ? { ...answer, status: 405 } : answer),
    ],
    "options-405": ["every", whenAsked(({ method }) => method === "OPTIONS", status(204, 405))],
  }),
  ...toMutants("status", "interface", {
    "unknown-reference-500": [
      "getMetadataByReference",
      whenEmpty(refused(500, "Something went wrong")),
    ],
    "bad-page-500": [
      "searchMetadataByCustomFields",
      "bad dates are answered 500",
      status(400, 500),
    ],
    "unauthorized-403": ["listPublicFlags", status(401, 403)],
    "unauthorized-200": ["getUserSecurityRights", status(401, 200)],
    "unauthorized-302": ["getRecordingByReference", when(401, toSignIn)],
    "searches-400": [SEARCHES, status(200, 400)],
    "right-filter-500": [
      "searchMetadata",
      "a search by disposition alone is answered 500",
      failingOn("disposition", 500),
    ],
    "right-filter-400": [
      "searchMetadata",
      "a search by lead_id alone is refused",
      failingOn("lead_id", 400),
    ],
    "right-custom-filter-400": [
      "searchMetadataByCustomFields",
      "a search by security_field_02 alone is refused",
      failingOn("security_field_02", 400),
    ],
    "seventh-list-500": ["listUsers", seventhFails],
    "foreign-identifier-500": [
      [...METADATA, "getChatByCallId"],
      "an identifier outside of ASCII is answered 500",
      whenAsked(isForeign, failing(500)),
    ],
    "foreign-recording-500": [
      RECORDINGS,
      "the recording of an identifier outside of ASCII is answered 500",
      whenAsked(isForeign, failing(500)),
    ],
    "apostrophe-500": [METADATA, whenAsked(hasApostrophe, crashes)],
    "long-identifier-500": [
      "getChatByCallId",
      "an identifier of more than 255 characters is answered 500",
      whenAsked(({ pathname }) => pathname.length > 300, crashes),
    ],
  }),
  ...toMutants("paging", "interface", {
    "later-page-400": [SEARCHES, failingBeyond(2, 400)],
    "greatest-page-500": [SEARCHES, failingBeyond(1_000_000, 500)],
  }),
];
