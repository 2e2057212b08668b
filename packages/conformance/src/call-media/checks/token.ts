// Tokens: their lifetime, rate limits of sign-in, and responses to wrong credentials. The relations prove the rest.
import { lifeOf } from "../../laws/sign-in.ts";
import type { Answer } from "../../ask.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";

/** Requirements that cannot be checked with only an API key. */
const OF_CREDENTIALS = [
  "token.fields",
  "token.works",
  "token.fresh",
  "token.expires",
  "token.lifetime",
  "token.wrong",
  "token.wrong-status",
  "token.rate-limit",
];

const SHORTEST_LIFE_S = 60;
const LONGEST_LIFE_S = 86_400;
// The clocks of two machines differ.
const TOLERANCE_S = 30;

export const tokens: Check = {
  about: "tokens",
  proves: ["answer.success", "token.rate-limit"],
  cost: 1,
  run: async ({ run }) => {
    const signedIn = run.kit.found.successes.get("createToken");
    if (signedIn === undefined)
      for (const id of OF_CREDENTIALS) run.skip(id, "no credentials were given");
    else {
      run.prove("answer.success", signedIn, undefined);
      observeLifetime(run, signedIn);
      observeLimits(run, signedIn);
    }
  },
};

function observeLifetime(run: Run, answer: Answer): void {
  const lifeS = lifeOf(answer, "expires");
  run.observe({
    decision: "D18",
    question: "How long is a token valid?",
    observed: `about ${lifeS} s`,
    value: lifeS,
    agrees: lifeS >= SHORTEST_LIFE_S - TOLERANCE_S && lifeS <= LONGEST_LIFE_S + TOLERANCE_S,
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

export function observeRefusals(run: Pick<Run, "observe">, statuses: readonly number[]): void {
  if (statuses.length === 0) return;
  run.observe({
    decision: "D14",
    question: "How are wrong credentials answered?",
    observed: [...new Set(statuses)].join(", "),
    value: statuses,
    agrees: statuses.every((status) => status === 401),
  });
}
