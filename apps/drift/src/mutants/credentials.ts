// Tokens and secrets that are compared with too little care, and errors that reveal them.
import { headers, toErrorAnswer, when, withBody, withHeaders } from "../edits/answers.ts";
import { type JsonObject, toText } from "../edits/json.ts";
import { asIf, filterOf, queryOf, withAuthorization, withFilter } from "../edits/requests.ts";
import type { Answer, Mutate, Upstream } from "../exchange.ts";
import type { Mutant } from "./mutant.ts";

type OnRefusal = (given: JsonObject, taken: readonly JsonObject[]) => ReturnType<Mutate>;

/** What is done with a refused sign-in, knowing the credentials that were taken before. */
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

function tokenOfFirst(): Mutate {
  const firsts = new WeakMap<Upstream, Answer>();
  return when(200, (answer, _, upstream) => {
    const first = firsts.get(upstream) ?? answer;
    firsts.set(upstream, first);
    return withBody(answer, first.body);
  });
}

const isSame = (one: unknown, other: unknown) =>
  String(one).toLowerCase() === String(other).toLowerCase();

const MAX_TAIL = 8;

export const credentials: readonly Mutant[] = [
  {
    id: "token-in-query-taken",
    class: "authentication",
    operation: "every",
    contract: "interface",
    says: "a token in the query, as access_token, is let in",
    mutate: when(401, (answer, request, { ask }) => {
      const token = queryOf(request, "access_token");
      return token !== "" && request.headers.authorization === undefined
        ? ask(withAuthorization({ ...request, query: "" }, `Bearer ${token}`))
        : answer;
    }),
  },
  {
    id: "token-with-tail-taken",
    class: "authentication",
    operation: "every",
    contract: "interface",
    says: "a good token with something after it is let in",
    mutate: when(401, async (answer, request, { ask }) => {
      const value = request.headers.authorization ?? "";
      for (let tail = 1; tail <= MAX_TAIL && tail < value.length; tail += 1) {
        const other = await ask(withAuthorization(request, value.slice(0, -tail)));
        if (other.status !== 401) return other;
      }
      return answer;
    }),
  },
  {
    id: "scheme-in-lower-case-refused",
    class: "authentication",
    operation: "listPublicFlags",
    contract: "decision",
    says: "bearer in lower case is refused",
    mutate: asIf((request) =>
      request.headers.authorization?.startsWith("bearer ")
        ? withAuthorization(request, "Bearer unknown")
        : request,
    ),
  },
  {
    id: "unknown-application-told",
    class: "token",
    operation: "createToken",
    contract: "decision",
    says: "the refusal tells an unknown secretID from a wrong secretKey",
    mutate: onRefusal((answer) => (given, taken) => {
      const isKnown = taken.some(({ secretID }) => secretID === given.secretID);
      return toErrorAnswer(answer, 401, `The ${isKnown ? "secretKey" : "secretID"} is not right.`);
    }),
  },
  {
    id: "secret-in-any-case-taken",
    class: "token",
    operation: "createToken",
    contract: "interface",
    says: "secretKey is taken in other letter case",
    mutate: onRefusal((answer, request, { ask }) => (given, taken) => {
      const meant = taken.find(
        ({ secretID, secretKey }) =>
          secretID === given.secretID && isSame(secretKey, given.secretKey),
      );
      return meant === undefined ? answer : ask(withFilter(request, meant));
    }),
  },
  {
    id: "secret-trimmed",
    class: "token",
    operation: "createToken",
    contract: "interface",
    says: "secretKey is taken with something after it",
    mutate: onRefusal((answer, request, { ask }) => (given, taken) => {
      const meant = taken.find(
        ({ secretID, secretKey }) =>
          secretID === given.secretID && toText(given.secretKey).startsWith(toText(secretKey)),
      );
      return meant === undefined ? answer : ask(withFilter(request, meant));
    }),
  },
  {
    id: "token-may-be-cached",
    class: "token",
    operation: "createToken",
    contract: "decision",
    says: "the token response has no Cache-Control",
    mutate: headers(200, { "cache-control": undefined }),
  },
  {
    id: "token-of-first-for-all",
    class: "token",
    operation: "createToken",
    contract: "decision",
    says: "whoever signs in gets the token of whoever signed in first",
    mutate: tokenOfFirst(),
  },
  {
    id: "challenge-without-credentials",
    class: "header",
    operation: "every",
    contract: "decision",
    says: "WWW-Authenticate says invalid_token although no token was sent",
    mutate: when(401, (answer, request) =>
      request.headers.authorization === undefined && request.operation !== "createToken"
        ? withHeaders(answer, {
            "www-authenticate": 'Bearer error="invalid_token", error_description="No token"',
          })
        : answer,
    ),
  },
];
