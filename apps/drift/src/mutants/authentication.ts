// Faults in who is let in.
import { toJsonAnswer, when } from "../edits/answers.ts";
import { letsIn, withAuthorization } from "../edits/requests.ts";
import type { Mutant } from "./mutant.ts";

const BEARER = /^bearer +[\w\-.~+/]+=*$/i;
const isMissing = (value: string | undefined) => value === undefined;
const isOtherScheme = (value: string | undefined) =>
  value !== undefined && !/^bearer\b/i.test(value);
const isMalformed = (value: string | undefined) =>
  value !== undefined && /^bearer\b/i.test(value) && !BEARER.test(value);
const isBearer = (value: string | undefined) => value !== undefined && BEARER.test(value);

export const authentication: readonly Mutant[] = [
  {
    id: "users-without-token",
    class: "authentication",
    operation: "listUsers",
    contract: "interface",
    says: "a request without a token is let in",
    mutate: letsIn(isMissing),
  },
  {
    id: "chat-without-token",
    class: "authentication",
    operation: "getChatByCallId",
    contract: "interface",
    says: "a request without a token is let in",
    mutate: letsIn(isMissing),
  },
  {
    id: "search-without-token",
    class: "authentication",
    operation: "searchMetadata",
    contract: "interface",
    says: "a request without a token is let in",
    mutate: letsIn(isMissing),
  },
  {
    id: "recording-without-token",
    class: "authentication",
    operation: "streamRecordingByReference",
    contract: "interface",
    says: "a request without a token is let in",
    mutate: letsIn(isMissing),
  },
  {
    id: "stream-with-any-token",
    class: "authentication",
    operation: "streamRecordingByCallId",
    contract: "interface",
    says: "any token is let in",
    mutate: letsIn(
      (value, { expiredToken }) => isBearer(value) && value !== `Bearer ${expiredToken}`,
    ),
  },
  {
    id: "flags-with-any-token",
    class: "authentication",
    operation: "listPublicFlags",
    contract: "interface",
    says: "any token is let in",
    mutate: letsIn(
      (value, { expiredToken }) => isBearer(value) && value !== `Bearer ${expiredToken}`,
    ),
  },
  {
    id: "rights-with-other-scheme",
    class: "authentication",
    operation: "getUserSecurityRights",
    contract: "interface",
    says: "another scheme than Bearer is let in",
    mutate: letsIn(isOtherScheme),
  },
  {
    id: "reference-with-other-scheme",
    class: "authentication",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "another scheme than Bearer is let in",
    mutate: letsIn(isOtherScheme),
  },
  {
    id: "address-with-malformed-token",
    class: "authentication",
    operation: "getUserAddresses",
    contract: "interface",
    says: "Bearer without a proper token is let in",
    mutate: letsIn(isMalformed),
  },
  {
    id: "record-with-expired-token",
    class: "authentication",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "an expired token is let in",
    mutate: letsIn((value, { expiredToken }) => value === `Bearer ${expiredToken}`),
  },
  {
    id: "everything-with-expired-token",
    class: "authentication",
    operation: "every",
    contract: "interface",
    says: "expired tokens are let in everywhere",
    mutate: letsIn((value, { expiredToken }) => value === `Bearer ${expiredToken}`),
  },
  {
    id: "api-key-refused",
    class: "authentication",
    operation: "every",
    contract: "decision",
    says: "the API key is refused",
    mutate: (answer, request, { ask, adminKey }) =>
      request.headers.authorization === `Bearer ${adminKey}`
        ? ask(withAuthorization(request, "Bearer unknown"))
        : answer,
  },
  {
    id: "wrong-credentials-taken",
    class: "authentication",
    operation: "createToken",
    contract: "decision",
    says: "wrong credentials get a token",
    mutate: when(401, (answer) =>
      toJsonAnswer(answer, 200, {
        access_token: "anybody",
        type: "Bearer",
        expires: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    ),
  },
];
