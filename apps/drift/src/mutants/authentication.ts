// Mutants that accept or reject the wrong callers.
import { toJsonAnswer, when } from "../edits/answers.ts";
import { letsIn, withAuthorization } from "../edits/requests.ts";
import { type Mutant, toMutants } from "./mutant.ts";

const BEARER = /^bearer +[\w\-.~+/]+=*$/i;
const isMissing = (value: string | undefined) => value === undefined;
const isOtherScheme = (value: string | undefined) =>
  value !== undefined && !/^bearer\b/i.test(value);
const isMalformed = (value: string | undefined) =>
  value !== undefined && /^bearer\b/i.test(value) && !BEARER.test(value);
const isBearer = (value: string | undefined) => value !== undefined && BEARER.test(value);

export const authentication: readonly Mutant[] = [
  ...toMutants("authentication", "interface", {
    "users-without-token": ["listUsers", "a request without a token is let in", letsIn(isMissing)],
    "chat-without-token": [
      "getChatByCallId",
      "a request without a token is let in",
      letsIn(isMissing),
    ],
    "search-without-token": [
      "searchMetadata",
      "a request without a token is let in",
      letsIn(isMissing),
    ],
    "recording-without-token": [
      "streamRecordingByReference",
      "a request without a token is let in",
      letsIn(isMissing),
    ],
    "stream-with-any-token": [
      "streamRecordingByCallId",
      "any token is let in",
      letsIn((value, { expiredToken }) => isBearer(value) && value !== `Bearer ${expiredToken}`),
    ],
    "flags-with-any-token": [
      "listPublicFlags",
      "any token is let in",
      letsIn((value, { expiredToken }) => isBearer(value) && value !== `Bearer ${expiredToken}`),
    ],
    "rights-with-other-scheme": [
      "getUserSecurityRights",
      "another scheme than Bearer is let in",
      letsIn(isOtherScheme),
    ],
    "reference-with-other-scheme": [
      "getMetadataByReference",
      "another scheme than Bearer is let in",
      letsIn(isOtherScheme),
    ],
    "address-with-malformed-token": [
      "getUserAddresses",
      "Bearer without a proper token is let in",
      letsIn(isMalformed),
    ],
    "record-with-expired-token": [
      "getMetadataByCallId",
      "an expired token is let in",
      letsIn((value, { expiredToken }) => value === `Bearer ${expiredToken}`),
    ],
    "everything-with-expired-token": [
      "every",
      "expired tokens are let in everywhere",
      letsIn((value, { expiredToken }) => value === `Bearer ${expiredToken}`),
    ],
  }),
  ...toMutants("authentication", "decision", {
    "api-key-refused": [
      "every",
      "the API key is refused",
      (answer, request, { ask, adminKey }) =>
        request.headers.authorization === `Bearer ${adminKey}`
          ? ask(withAuthorization(request, "Bearer unknown"))
          : answer,
    ],
    "wrong-credentials-taken": [
      "createToken",
      "wrong credentials get a token",
      when(401, (answer) =>
        toJsonAnswer(answer, 200, {
          access_token: "anybody",
          type: "Bearer",
          expires: new Date(Date.now() + 3_600_000).toISOString(),
        }),
      ),
    ],
  }),
];
