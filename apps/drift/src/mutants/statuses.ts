// Mutants of the response status.
import { status, toErrorAnswer, toJsonAnswer, when } from "../edits/answers.ts";
import { foundNothing } from "../edits/json.ts";
import { STREAMS, type Mutant, toMutants } from "./mutant.ts";

export const statuses: readonly Mutant[] = [
  ...toMutants("status", "decision", {
    "found-nothing-204": [
      "getChatByCallId",
      "a call without a chat is answered 204",
      (answer) =>
        foundNothing(answer) ? { status: 204, headers: {}, body: Buffer.alloc(0) } : answer,
    ],
    "found-nothing-404": [
      "getMetadataByCallId",
      "an unknown call_id is answered 404",
      (answer) =>
        foundNothing(answer) ? toErrorAnswer(answer, 404, "call_id is unknown") : answer,
    ],
    "unknown-user-404": [
      "getUserAddresses",
      "an unknown user_id is answered 404",
      (answer) =>
        foundNothing(answer) ? toErrorAnswer(answer, 404, "user_id is unknown") : answer,
    ],
    "search-201": ["searchMetadata", "a search is answered 201", status(200, 201)],
    "token-201": ["createToken", "a token is answered 201", status(200, 201)],
    "bad-search-200": [
      "searchMetadata",
      "a bad search is answered 200 with isError true",
      status(400, 200),
    ],
    "bad-user-id-422": [
      ["getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
      "a bad user_id is answered 422",
      status(400, 422),
    ],
    "no-recording-200": [
      "getRecordingByCallId",
      "no recording is answered 200 with success false",
      when(404, (answer) =>
        toJsonAnswer(answer, 200, {
          isError: false,
          errorMessage: null,
          data: { success: false, filename: "", base64: "" },
        }),
      ),
    ],
    "no-stream-empty-200": [
      STREAMS,
      "no recording is answered 200 with no bytes",
      when(404, (answer) => ({
        ...answer,
        status: 200,
        headers: { "content-type": "application/octet-stream", "content-length": "0" },
        body: Buffer.alloc(0),
      })),
    ],
    "wrong-method-404": ["every", "a wrong method is answered 404", status(405, 404)],
    "unknown-path-200": [
      "every",
      "an unknown path is answered 200",
      (answer, { operation }) =>
        operation === undefined && answer.status === 404
          ? toJsonAnswer(answer, 200, { isError: false, errorMessage: null, data: [] })
          : answer,
    ],
    "head-of-json-405": [
      ["listUsers", "listPublicFlags"],
      "HEAD is answered 405 where GET brings JSON",
      (answer, { method }) => (method === "HEAD" ? { ...answer, status: 405 } : answer),
    ],
    "options-405": [
      "every",
      "OPTIONS is answered 405",
      (answer, { method }) =>
        method === "OPTIONS" && answer.status === 204 ? { ...answer, status: 405 } : answer,
    ],
  }),
  ...toMutants("status", "interface", {
    "unknown-reference-500": [
      "getMetadataByReference",
      "an unknown ref_id is answered 500",
      (answer) =>
        foundNothing(answer) ? toErrorAnswer(answer, 500, "Something went wrong") : answer,
    ],
    "bad-page-500": [
      "searchMetadataByCustomFields",
      "bad dates are answered 500",
      status(400, 500),
    ],
    "unauthorized-403": [
      "listPublicFlags",
      "a request without a token is answered 403",
      status(401, 403),
    ],
    "unauthorized-200": [
      "getUserSecurityRights",
      "a request without a token is answered 200 with isError true",
      status(401, 200),
    ],
    "unauthorized-302": [
      "getRecordingByReference",
      "a request without a token is sent to a sign-in page",
      when(401, (answer) => ({
        ...answer,
        status: 302,
        headers: { location: "/sign-in", "content-length": "0" },
        body: Buffer.alloc(0),
      })),
    ],
  }),
];
