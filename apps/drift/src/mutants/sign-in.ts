// Mutants that accept or reject the wrong callers, compare secrets too loosely, or reveal them.
import {
  lost,
  toErrorAnswer,
  toJsonAnswer,
  when,
  withBody,
  withHeaders,
} from "../edits/answers.ts";
import { added, field, json, type JsonObject, toText } from "../edits/json.ts";
import {
  asIf,
  filterOf,
  letsIn,
  queryOf,
  withAuthorization,
  withFilter,
} from "../edits/requests.ts";
import type { Answer, Mutate, Upstream } from "../exchange.ts";
import { type Deviation, type Mutant, toMutants } from "./mutant.ts";

const HOUR_MS = 3_600_000;
const MAX_TAIL = 8;
const BEARER = /^bearer +[\w\-.~+/]+=*$/i;
const isBearer = (value = "") => BEARER.test(value);
const isOfScheme = (value: string) => /^bearer\b/i.test(value);

const NO_TOKEN: Deviation = [
  "a request without a token is let in",
  letsIn((value) => value === undefined),
];
const ANY_TOKEN: Deviation = [
  "any token is let in",
  letsIn((value, { expiredToken }) => isBearer(value) && value !== `Bearer ${expiredToken}`),
];
const OTHER_SCHEME: Deviation = [
  "another scheme than Bearer is let in",
  letsIn((value) => value !== undefined && !isOfScheme(value)),
];
const MALFORMED: Deviation = [
  "Bearer without a proper token is let in",
  letsIn((value) => value !== undefined && isOfScheme(value) && !isBearer(value)),
];
const EXPIRED: Deviation = [
  "an expired token is let in",
  letsIn((value, { expiredToken }) => value === `Bearer ${expiredToken}`),
];

const isSame = (one: unknown, other: unknown) =>
  String(one).toLowerCase() === String(other).toLowerCase();

type OnRefusal = (given: JsonObject, taken: readonly JsonObject[]) => ReturnType<Mutate>;

/** Reacts to a rejected sign-in, with the credentials that were accepted before. */
function onRefusal(react: (...asked: Parameters<Mutate>) => OnRefusal): Mutate {
  const taken = new WeakMap<Upstream, JsonObject[]>();
  return (answer, request, upstream) => {
    const given = filterOf(request);
    const known = taken.get(upstream) ?? [];
    taken.set(upstream, known);
    if (answer.status === 200 && given !== undefined) known.push(given);
    return answer.status === 401 && given !== undefined
      ? react(answer, request, upstream)(given, known)
      : answer;
  };
}

/** Accepts a rejected secret that is like an accepted one of the same application. */
const taking = (isLike: (given: JsonObject, taken: JsonObject) => boolean): Mutate =>
  onRefusal((answer, request, { ask }) => (given, taken) => {
    const meant = taken.find((one) => one.secretID === given.secretID && isLike(given, one));
    return meant === undefined ? answer : ask(withFilter(request, meant));
  });

const unknownIsTold = onRefusal((answer) => (given, taken) => {
  const isKnown = taken.some(({ secretID }) => secretID === given.secretID);
  return toErrorAnswer(answer, 401, `The ${isKnown ? "secretKey" : "secretID"} is not right.`);
});

function tokenOfFirst(): Mutate {
  const firsts = new WeakMap<Upstream, Answer>();
  return when(200, (answer, _, upstream) => {
    const first = firsts.get(upstream) ?? answer;
    firsts.set(upstream, first);
    return withBody(answer, first.body);
  });
}

const inQuery = when(401, (answer, request, { ask }) => {
  const token = queryOf(request, "access_token");
  return token !== "" && request.headers.authorization === undefined
    ? ask(withAuthorization({ ...request, query: "" }, `Bearer ${token}`))
    : answer;
});

const withTail = when(401, async (answer, request, { ask }) => {
  const value = request.headers.authorization ?? "";
  for (let tail = 1; tail <= MAX_TAIL && tail < value.length; tail += 1) {
    const other = await ask(withAuthorization(request, value.slice(0, -tail)));
    if (other.status !== 401) return other;
  }
  return answer;
});

const REFUSED = "Bearer unknown";
const toTime = (ms: number) => new Date(Date.now() + ms).toISOString();

export const signIn: readonly Mutant[] = [
  ...toMutants("authentication", "interface", {
    "users-without-token": ["listUsers", ...NO_TOKEN],
    "chat-without-token": ["getChatByCallId", ...NO_TOKEN],
    "search-without-token": ["searchMetadata", ...NO_TOKEN],
    "recording-without-token": ["streamRecordingByReference", ...NO_TOKEN],
    "stream-with-any-token": ["streamRecordingByCallId", ...ANY_TOKEN],
    "flags-with-any-token": ["listPublicFlags", ...ANY_TOKEN],
    "rights-with-other-scheme": ["getUserSecurityRights", ...OTHER_SCHEME],
    "reference-with-other-scheme": ["getMetadataByReference", ...OTHER_SCHEME],
    "address-with-malformed-token": ["getUserAddresses", ...MALFORMED],
    "record-with-expired-token": ["getMetadataByCallId", ...EXPIRED],
    "everything-with-expired-token": ["every", ...EXPIRED],
    "token-in-query-taken": ["every", inQuery],
    "token-with-tail-taken": ["every", withTail],
  }),
  ...toMutants("authentication", "decision", {
    "api-key-refused": [
      "every",
      (answer, request, { ask, adminKey }) =>
        request.headers.authorization === `Bearer ${adminKey}`
          ? ask(withAuthorization(request, REFUSED))
          : answer,
    ],
    "wrong-credentials-taken": [
      "createToken",
      when(401, (answer) =>
        toJsonAnswer(answer, 200, {
          access_token: "anybody",
          type: "Bearer",
          expires: toTime(HOUR_MS),
        }),
      ),
    ],
    "scheme-in-lower-case-refused": [
      "listPublicFlags",
      asIf((request) =>
        request.headers.authorization?.startsWith("bearer ")
          ? withAuthorization(request, REFUSED)
          : request,
      ),
    ],
  }),
  ...toMutants("token", "interface", {
    "token-type-jwt": ["createToken", field("type", "JWT")],
    "token-expired-at-birth": ["createToken", field("expires", () => toTime(-HOUR_MS))],
    "token-expires-without-zone": [
      "createToken",
      field("expires", (value) => toText(value).replace("Z", "")),
    ],
    "token-expires-in-seconds": ["createToken", field("expires", 3600)],
    "token-echoes-secret": [
      "createToken",
      json((token, request) => ({ ...token, secretKey: filterOf(request)?.secretKey ?? "" })),
    ],
    "refusal-echoes-secret": [
      "createToken",
      when(401, (answer, request) =>
        toErrorAnswer(answer, 401, `secretKey ${toText(filterOf(request)?.secretKey)} is wrong`),
      ),
    ],
    "secret-in-any-case-taken": [
      "createToken",
      taking((given, { secretKey }) => isSame(secretKey, given.secretKey)),
    ],
    "secret-trimmed": [
      "createToken",
      "secretKey is taken with something after it",
      taking((given, { secretKey }) => toText(given.secretKey).startsWith(toText(secretKey))),
    ],
  }),
  ...toMutants("token", "decision", {
    "token-for-a-year": ["createToken", field("expires", () => toTime(365 * 24 * HOUR_MS))],
    "token-with-lifetime-added": ["createToken", added({ expires_in: 3600 })],
    "unknown-application-told": ["createToken", unknownIsTold],
    "token-may-be-cached": ["createToken", lost(200, "cache-control")],
    "token-of-first-for-all": ["createToken", tokenOfFirst()],
  }),
  ...toMutants("header", "decision", {
    "challenge-without-credentials": [
      "every",
      "WWW-Authenticate says invalid_token although no token was sent",
      when(401, (answer, request) =>
        request.headers.authorization === undefined && request.operation !== "createToken"
          ? withHeaders(answer, {
              "www-authenticate": 'Bearer error="invalid_token", error_description="No token"',
            })
          : answer,
      ),
    ],
  }),
];
