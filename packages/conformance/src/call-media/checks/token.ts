// Tokens: what a second one is like, how long they last, and that wrong credentials get none.
import { isObject, type Answer, isSuccess } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import { parseMoment } from "../archive/days.ts";
import { impossible } from "../archive/records.ts";
import type { Credentials } from "../report.ts";
import type { Check } from "./check.ts";

// D18: 256 random bits take 43 characters of base64url.
const SHORTEST_TOKEN = 43;
const SHORTEST_LIFE_S = 60;
const LONGEST_LIFE_S = 86_400;
// Clocks of two machines differ, and the answer was on its way for a while.
const TOLERANCE_S = 30;

export const tokens: Check = {
  about: "tokens",
  proves: ["token.expires", "token.works", "token.fresh", "token.lifetime", "token.rate-limit"],
  run: async ({ run, target: { credentials }, signedIn: first }) => {
    if (credentials === undefined || first === undefined) return skipAll(run);
    const second = await run.succeed({
      operation: "createToken",
      body: credentials,
      authorization: null,
    });
    const texts = [first, second].map((answer) => tokenOf(answer) ?? "");
    for (const token of texts) {
      const used = await run.ask({
        operation: "listPublicFlags",
        authorization: `Bearer ${token}`,
      });
      const { sent, came } = second;
      const fault = unless(isSuccess(used), `with a new token the answer is ${used.status}`);
      run.proveOf("token.works", { sent, came, operation: "createToken" }, fault);
    }
    const isFresh = texts[0] !== texts[1] && texts.every(({ length }) => length >= SHORTEST_TOKEN);
    run.prove("token.fresh", second, unless(isFresh, "the token is short, or the same again"));
    proveLifetime(run, second);
    observeLimits(run, second);
  },
};

/** What an API key alone cannot show. */
function skipAll(run: Run): void {
  for (const id of ["token.fields", ...tokens.proves, ...wrongCredentials.proves] as const)
    run.skip(id, "no credentials were given");
}

export function tokenOf({ json }: Answer): string | undefined {
  const token = isObject(json) ? json["access_token"] : undefined;
  return typeof token === "string" && token !== "" ? token : undefined;
}

function proveLifetime(run: Run, answer: Answer): void {
  const expires = isObject(answer.json) ? String(answer.json["expires"]) : "";
  const expiresMs = parseMoment(expires)?.ms ?? NaN;
  // Where the service tells its own clock, that is the one to go by: in whole seconds, so that what it leaves off is too much
  // here. By ours a moment is missing.
  const told = Date.parse(answer.headers.get("Date") ?? "");
  const lifeS = told
    ? Math.floor((expiresMs - told) / 1000)
    : Math.round((expiresMs - Date.now()) / 1000);
  const isKept = lifeS >= SHORTEST_LIFE_S - TOLERANCE_S && lifeS <= LONGEST_LIFE_S + TOLERANCE_S;
  run.prove("token.expires", answer, unless(lifeS > 0, `expires is ${JSON.stringify(expires)}`));
  run.prove("token.lifetime", answer, unless(isKept, `the token is good for ${lifeS} s`));
  run.observe({
    decision: "D18",
    question: "How long is a token valid?",
    observed: `about ${lifeS} s`,
    value: lifeS,
    agrees: isKept,
  });
  if (lifeS > 0) run.learn({ tokenLifeS: lifeS });
}

function observeLimits(run: Run, answer: Answer): void {
  const policy = answer.headers.get("RateLimit-Policy");
  const limit = answer.headers.get("RateLimit");
  const isTold = policy !== null && limit !== null;
  run.prove("token.rate-limit", answer, unless(isTold, "RateLimit or RateLimit-Policy is missing"));
  run.observe({
    decision: "D23",
    question: "Is signing in limited?",
    observed: policy ?? "no header says so",
    value: policy,
    agrees: isTold,
  });
}

/**
 * The shortest series of wrong sign-ins that shows a careless comparison: a service may count them. The last one here is
 * right, and ends the series.
 */
export const wrongCredentials: Check = {
  about: "wrong credentials",
  proves: ["token.wrong", "token.wrong-status"],
  run: async ({ run, target: { credentials } }) => {
    if (credentials === undefined) return;
    const answers: Answer[] = [];
    for (const body of listWrong(credentials)) {
      const answer = await run.ask({ operation: "createToken", body, authorization: null });
      answers.push(answer);
      const hasToken = isSuccess(answer) && tokenOf(answer) !== undefined;
      run.prove("token.wrong", answer, unless(!hasToken, "wrong credentials got a token"));
      const isRefused = answer.status === 401;
      run.prove("token.wrong-status", answer, unless(isRefused, `the answer is ${answer.status}`));
    }
    await run.succeed({ operation: "createToken", body: credentials, authorization: null });
    proveAlike(run, answers);
    const statuses = answers.map(({ status }) => status);
    run.observe({
      decision: "D14",
      question: "How are wrong credentials answered?",
      observed: [...new Set(statuses)].join(", "),
      value: statuses,
      agrees: statuses.every((status) => status === 401),
    });
  },
};

/** A key that goes on, one in other letter case, and, as the last, an application that there is not. */
function listWrong({ secretID, secretKey }: Credentials): readonly Credentials[] {
  const keys = [`${secretKey}x`, swapCase(secretKey)].filter((key) => key !== secretKey);
  return [
    ...keys.map((key) => ({ secretID, secretKey: key })),
    { secretID: impossible(), secretKey: impossible() },
  ];
}

function swapCase(text: string): string {
  return Array.from(text, (character) => {
    const upper = character.toUpperCase();
    return upper === character ? character.toLowerCase() : upper;
  }).join("");
}

function proveAlike(run: Run, answers: readonly Answer[]): void {
  const [wrongKey, unknownId] = [answers[0], answers.at(-1)];
  if (wrongKey === undefined || unknownId === undefined) return;
  const isAlike = wrongKey.status === unknownId.status && wrongKey.text === unknownId.text;
  const fault = "an unknown secretID is answered otherwise than a wrong secretKey";
  run.prove("token.wrong-status", unknownId, unless(isAlike, fault));
}
