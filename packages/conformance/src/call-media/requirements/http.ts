// What holds for every operation: that it responds, in which format, and what it refuses.
import {
  ALL,
  LOOKUPS,
  NOT_ACCEPTABLE,
  of,
  type Requirements,
  SEARCHES,
  WITH_ENVELOPE,
  WITH_INPUT,
  WITH_JSON,
  WITH_TOKEN,
} from "./requirement.ts";

const SIGNED_IN =
  "4. A request with a missing or invalid token, or with an expired token, gets status 401.";

export const http = {
  "base.https": {
    operations: ALL,
    source: { line: "The base address uses HTTPS, and all requests are sent over HTTPS." },
    says: "The base address uses HTTPS; plain HTTP serves only the same machine.",
    isOfService: true,
  },
  "secrets.kept": {
    operations: ALL,
    source: { line: "7. Credentials must not be disclosed, and only HTTPS is used." },
    says: "No answer repeats a secret that was sent.",
  },
  "answer.complete": {
    operations: ALL,
    source: { line: "The service is an HTTP interface over a store of call-related records." },
    says: "Every request gets one whole HTTP answer in good time.",
  },
  "answer.success": {
    operations: ALL,
    source: { line: "Responses use the envelope above unless stated." },
    says: "A right request is answered with success.",
  },
  "answer.server-error": {
    operations: ALL,
    source: { line: "The service is an HTTP interface over a store of call-related records." },
    says: "No request is answered with a server error, 5xx (RFC 9110, section 15.6).",
  },
  "answer.json": {
    operations: WITH_JSON,
    source: { line: "Bodies are JSON unless stated otherwise." },
    says: "The body of a success is JSON, unless it is a recording stream.",
  },
  "answer.envelope": {
    operations: WITH_ENVELOPE,
    source: { line: "- Success responses carry isError false and errorMessage null." },
    says: "A success has the envelope and nothing beside it, with isError false and errorMessage null.",
  },
  ...of(ALL, "D13", {
    "answer.content-type": "The media type of an answer is one that the document has for it.",
  }),
  ...of(ALL, "D12", {
    "answer.status": "The status is one that the document has for the operation.",
  }),
  ...of(ALL, "D13", {
    "answer.request-id": "Every answer has an X-Request-Id of its own.",
  }),
  "answer.headers": {
    operations: ALL,
    source: { document: "headers of the responses" },
    says: "Every header that the document requires is there, with a value as documented.",
  },
  "answer.cache": {
    operations: ALL,
    source: { document: "components/headers/Cache-Control" },
    says: "Cache-Control says that nobody may keep a copy.",
  },
  ...of(WITH_JSON, "D27", {
    "answer.order": "Fields come in the order of the document.",
  }),
  "read.same": {
    operations: ["searchMetadataByCustomFields", "listUsers", "listPublicFlags"],
    source: { line: "Every operation except token creation is a read." },
    says: "The same request, sent again, is answered with the same records.",
  },
  "read.head": {
    operations: ["listPublicFlags"],
    source: { document: "info.description" },
    says: "HEAD is answered with the headers of GET and no body.",
  },
  "read.options": {
    operations: ["listPublicFlags"],
    source: { document: "info.description" },
    says: "OPTIONS is answered 204, with the methods in Allow.",
  },
  ...of(WITH_TOKEN, SIGNED_IN, {
    "auth.missing": "A request without a token is answered 401.",
    "auth.malformed": "A request with a malformed token is answered 401.",
    "auth.random": "A request with a token that was never issued is answered 401.",
  }),
  "auth.scheme": {
    operations: WITH_TOKEN,
    source: {
      line: "3. Every other request carries the header Authorization: Bearer <ACCESS_TOKEN>.",
    },
    says: "A request whose token stands under another scheme is answered 401.",
  },
  "auth.scheme-case": {
    operations: WITH_TOKEN,
    source: { document: "components/securitySchemes" },
    says: "The scheme of the Authorization header may be in any letter case (RFC 9110, section 11.1).",
  },
  "auth.expired": {
    operations: WITH_TOKEN,
    source: { line: SIGNED_IN },
    says: "A request with an expired token is answered 401.",
  },
  ...of(ALL, "D14", {
    "auth.challenge":
      'A 401 has WWW-Authenticate: Bearer, with error="invalid_token" when a token was sent.',
  }),
  "auth.api-key": {
    operations: WITH_TOKEN,
    source: {
      line: "6. An API key issued by an administrator is also placed in the same header as Bearer <API_KEY>.",
    },
    says: "An API key is taken in place of a token.",
  },
  ...of(ALL, "D13", {
    "error.body": "A refusal has the envelope, with isError true, a sentence and empty data.",
    "error.code": "An error has a stable code in X-Error-Code, like CM_TOKEN_EXPIRED.",
  }),
  ...of(WITH_INPUT, "D13", {
    "error.names-field": "The sentence of a refusal names the field that is at fault.",
  }),
  ...of(ALL, "D12", {
    "refused.method": "A method that a path does not have is answered 405, with Allow.",
  }),
  "refused.path": {
    operations: WITH_TOKEN,
    source: { decision: "D12" },
    says: "An unknown path is answered 404.",
    isOfService: true,
  },
  ...of(NOT_ACCEPTABLE, "D12", {
    "refused.accept": "A request that accepts no form of the answer is answered 406.",
  }),
  ...of(["createToken", ...SEARCHES], "D12", {
    "refused.media-type": "A body that is not declared as JSON is answered 415.",
    "refused.size": "A body that is far too large is answered 413.",
    "refused.body": "A body that the document does not allow is answered 400.",
  }),
  ...of(
    [...SEARCHES, "listUsers", "getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
    "D12",
    {
      "refused.query":
        "A query parameter that is missing, or that the document does not allow, is answered 400.",
    },
  ),
  ...of([...LOOKUPS, "getChatByCallId"], "D12", {
    "refused.identifier":
      "An identifier that is too long or badly percent-encoded is answered 400.",
  }),
} as const satisfies Requirements;
