// The status of an answer.
import { status, toErrorAnswer, toJsonAnswer, when } from "../edits/answers.ts";
import { foundNothing } from "../edits/json.ts";
import { type Mutant, STREAMS } from "./mutant.ts";

export const statuses: readonly Mutant[] = [
  {
    id: "found-nothing-204",
    class: "status",
    operation: "getChatByCallId",
    contract: "decision",
    says: "a call without a chat is answered 204",
    mutate: (answer) =>
      foundNothing(answer) ? { status: 204, headers: {}, body: Buffer.alloc(0) } : answer,
  },
  {
    id: "found-nothing-404",
    class: "status",
    operation: "getMetadataByCallId",
    contract: "decision",
    says: "an unknown call_id is answered 404",
    mutate: (answer) =>
      foundNothing(answer) ? toErrorAnswer(answer, 404, "call_id is unknown") : answer,
  },
  {
    id: "unknown-user-404",
    class: "status",
    operation: "getUserAddresses",
    contract: "decision",
    says: "an unknown user_id is answered 404",
    mutate: (answer) =>
      foundNothing(answer) ? toErrorAnswer(answer, 404, "user_id is unknown") : answer,
  },
  {
    id: "unknown-reference-500",
    class: "status",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "an unknown ref_id is answered 500",
    mutate: (answer) =>
      foundNothing(answer) ? toErrorAnswer(answer, 500, "Something went wrong") : answer,
  },
  {
    id: "search-201",
    class: "status",
    operation: "searchMetadata",
    contract: "decision",
    says: "a search is answered 201",
    mutate: status(200, 201),
  },
  {
    id: "token-201",
    class: "status",
    operation: "createToken",
    contract: "decision",
    says: "a token is answered 201",
    mutate: status(200, 201),
  },
  {
    id: "bad-search-200",
    class: "status",
    operation: "searchMetadata",
    contract: "decision",
    says: "a bad search is answered 200 with isError true",
    mutate: status(400, 200),
  },
  {
    id: "bad-page-500",
    class: "status",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "bad dates are answered 500",
    mutate: status(400, 500),
  },
  {
    id: "bad-user-id-422",
    class: "status",
    operation: ["getUserAddresses", "getUserSecurityRights", "listPrivateFlags"],
    contract: "decision",
    says: "a bad user_id is answered 422",
    mutate: status(400, 422),
  },
  {
    id: "no-recording-200",
    class: "status",
    operation: "getRecordingByCallId",
    contract: "decision",
    says: "no recording is answered 200 with success false",
    mutate: when(404, (answer) =>
      toJsonAnswer(answer, 200, {
        isError: false,
        errorMessage: null,
        data: { success: false, filename: "", base64: "" },
      }),
    ),
  },
  {
    id: "no-stream-empty-200",
    class: "status",
    operation: STREAMS,
    contract: "decision",
    says: "no recording is answered 200 with no bytes",
    mutate: when(404, (answer) => ({
      ...answer,
      status: 200,
      headers: { "content-type": "application/octet-stream", "content-length": "0" },
      body: Buffer.alloc(0),
    })),
  },
  {
    id: "unauthorized-403",
    class: "status",
    operation: "listPublicFlags",
    contract: "interface",
    says: "a request without a token is answered 403",
    mutate: status(401, 403),
  },
  {
    id: "unauthorized-200",
    class: "status",
    operation: "getUserSecurityRights",
    contract: "interface",
    says: "a request without a token is answered 200 with isError true",
    mutate: status(401, 200),
  },
  {
    id: "unauthorized-302",
    class: "status",
    operation: "getRecordingByReference",
    contract: "interface",
    says: "a request without a token is sent to a sign-in page",
    mutate: when(401, (answer) => ({
      ...answer,
      status: 302,
      headers: { location: "/sign-in", "content-length": "0" },
      body: Buffer.alloc(0),
    })),
  },
  {
    id: "wrong-method-404",
    class: "status",
    operation: "every",
    contract: "decision",
    says: "a wrong method is answered 404",
    mutate: status(405, 404),
  },
  {
    id: "unknown-path-200",
    class: "status",
    operation: "every",
    contract: "decision",
    says: "an unknown path is answered 200",
    mutate: (answer, { operation }) =>
      operation === undefined && answer.status === 404
        ? toJsonAnswer(answer, 200, { isError: false, errorMessage: null, data: [] })
        : answer,
  },
  {
    id: "head-of-json-405",
    class: "status",
    operation: ["listUsers", "listPublicFlags"],
    contract: "decision",
    says: "HEAD is answered 405 where GET brings JSON",
    mutate: (answer, { method }) => (method === "HEAD" ? { ...answer, status: 405 } : answer),
  },
  {
    id: "options-405",
    class: "status",
    operation: "every",
    contract: "decision",
    says: "OPTIONS is answered 405",
    mutate: (answer, { method }) =>
      method === "OPTIONS" && answer.status === 204 ? { ...answer, status: 405 } : answer,
  },
];
