// Mutants that compare tokens and secrets too loosely, or reveal them in errors.
import { lost, toErrorAnswer, when, withBody, withHeaders } from "../edits/answers.ts";
import { type JsonObject, toText } from "../edits/json.ts";
import { asIf, filterOf, queryOf, withAuthorization, withFilter } from "../edits/requests.ts";
import type { Answer, Mutate, Upstream } from "../exchange.ts";
import { type Mutant, toMutants } from "./mutant.ts";

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
  ...toMutants("authentication", "interface", {
    "token-in-query-taken": [
      "every",
      "a token in the query, as access_token, is let in",
      when(401, (answer, request, { ask }) => {
        const token = queryOf(request, "access_token");
        return token !== "" && request.headers.authorization === undefined
          ? ask(withAuthorization({ ...request, query: "" }, `Bearer ${token}`))
          : answer;
      }),
    ],
    "token-with-tail-taken": [
      "every",
      "a good token with something after it is let in",
      when(401, async (answer, request, { ask }) => {
        const value = request.headers.authorization ?? "";
        for (let tail = 1; tail <= MAX_TAIL && tail < value.length; tail += 1) {
          const other = await ask(withAuthorization(request, value.slice(0, -tail)));
          if (other.status !== 401) return other;
        }
        return answer;
      }),
    ],
  }),
  ...toMutants("authentication", "decision", {
    "scheme-in-lower-case-refused": [
      "listPublicFlags",
      "bearer in lower case is refused",
      asIf((request) =>
        request.headers.authorization?.startsWith("bearer ")
          ? withAuthorization(request, "Bearer unknown")
          : request,
      ),
    ],
  }),
  ...toMutants("token", "decision", {
    "unknown-application-told": [
      "createToken",
      "the refusal tells an unknown secretID from a wrong secretKey",
      onRefusal((answer) => (given, taken) => {
        const isKnown = taken.some(({ secretID }) => secretID === given.secretID);
        return toErrorAnswer(
          answer,
          401,
          `The ${isKnown ? "secretKey" : "secretID"} is not right.`,
        );
      }),
    ],
    "token-may-be-cached": [
      "createToken",
      "the token response has no Cache-Control",
      lost(200, "cache-control"),
    ],
    "token-of-first-for-all": [
      "createToken",
      "whoever signs in gets the token of whoever signed in first",
      tokenOfFirst(),
    ],
  }),
  ...toMutants("token", "interface", {
    "secret-in-any-case-taken": [
      "createToken",
      "secretKey is taken in other letter case",
      onRefusal((answer, request, { ask }) => (given, taken) => {
        const meant = taken.find(
          ({ secretID, secretKey }) =>
            secretID === given.secretID && isSame(secretKey, given.secretKey),
        );
        return meant === undefined ? answer : ask(withFilter(request, meant));
      }),
    ],
    "secret-trimmed": [
      "createToken",
      "secretKey is taken with something after it",
      onRefusal((answer, request, { ask }) => (given, taken) => {
        const meant = taken.find(
          ({ secretID, secretKey }) =>
            secretID === given.secretID && toText(given.secretKey).startsWith(toText(secretKey)),
        );
        return meant === undefined ? answer : ask(withFilter(request, meant));
      }),
    ],
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
