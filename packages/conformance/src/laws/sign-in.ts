// Signing in: each token is new and works until it expires, and wrong credentials get none.
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../ask.ts";
import { SAFE_METHODS } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import { type Run, toFields } from "../run.ts";
import { swapCase } from "../http/secrets.ts";
import { findRight } from "../values/requests.ts";
import { parseMoment } from "../values/moments.ts";
import { at, show } from "../values/places.ts";
import { type Judgement, type Law, unchecked, type Verdicts } from "./law.ts";

/** The clocks of two machines differ, and the response took some time to arrive. */
const TOLERANCE_S = 30;
/** 128 random bits in base64url. */
const SHORTEST_TOKEN = 22;

type SignIn = RuleOf<"signIn">;

interface Signing {
  readonly rule: SignIn;
  readonly operation: Operation;
  readonly body: JsonObject;
}

export const signInLaw: Law<"signIn"> = {
  cost: 9,
  // A second series of wrong sign-ins could lock the caller out.
  isBetween: false,
  judge: async function* judge(rule, operation, run) {
    const body = run.found.bodies.get(operation.id);
    if (body === undefined) {
      yield unchecked("signIn", `no body of ${operation.id} was given`);
      return;
    }
    const signing = { rule, operation, body };
    yield* judgeTokens(run, signing);
    yield* judgeWrong(run, signing);
  },
};

const told = (clause: string, answer: Answer, fault: string | undefined): Judgement => ({
  clause: `signIn.${clause}`,
  answer,
  witness: "credentials",
  fault,
});

const toAsk = ({ operation }: Signing, body: JsonObject): Ask => ({
  operation: operation.id,
  body,
  caller: null,
});

async function* judgeTokens(run: Run, signing: Signing): Verdicts {
  const { rule, body } = signing;
  const answers = [
    await run.askAgain(toAsk(signing, body)),
    await run.askAgain(toAsk(signing, body)),
  ];
  const tokens = answers.map((answer) => at(answer.json, rule.token));
  const [, last] = answers;
  const refused = answers.find((_, index) => typeof tokens[index] !== "string");
  if (refused !== undefined || last === undefined) {
    if (refused !== undefined)
      yield told("works", refused, `signing in is answered ${refused.status}, without a token`);
    return;
  }
  const use = await findUse(run);
  for (const token of use === undefined ? [] : tokens) {
    const caller = {
      name: `signed in with ${String(token)}`,
      headers: { Authorization: `Bearer ${String(token)}` },
      query: {},
    };
    const used = await run.ask({ ...use, operation: use?.operation ?? "", caller });
    const fault = used.isSuccess ? undefined : `with a new token the answer is ${used.status}`;
    yield told("works", last, fault);
  }
  const least = rule.least ?? SHORTEST_TOKEN;
  const isFresh = tokens[0] !== tokens[1] && tokens.every((token) => String(token).length >= least);
  yield told("fresh", last, isFresh ? undefined : "the token is short, or the same again");
  if (rule.expires === undefined) return;
  const lifeS = lifeOf(last, rule.expires);
  const expires = show(at(last.json, rule.expires));
  yield told("expires", last, lifeS > 0 ? undefined : `expires is ${expires}`);
  const [shortest = 0, longest = Infinity] = rule.life ?? [];
  const isKept = lifeS >= shortest - TOLERANCE_S && lifeS <= longest + TOLERANCE_S;
  yield told("life", last, isKept ? undefined : `the token is good for ${lifeS} s`);
}

/** A request that needs a token and is known to succeed. */
async function findUse(run: Run): Promise<Ask | undefined> {
  for (const { id, method, security } of run.document.operations.values()) {
    if (security.length === 0 || !SAFE_METHODS.has(method)) continue;
    const right = await findRight(run, id);
    if (typeof right !== "string" && right.isSure && (await run.ask(right.ask)).isSuccess)
      return right.ask;
  }
  return undefined;
}

/**
 * The lifetime of a token in seconds, by the service's clock if the response has a Date. That has whole seconds, so the result may be too
 * large by the fraction. By our clock, it is too small by the transfer time. NaN if `expires` is not a time.
 */
export function lifeOf(
  answer: Pick<Answer, "headers" | "json" | "receivedMs">,
  expires: string,
): number {
  const expiresMs = parseMoment(at(answer.json, expires))?.ms ?? Number.NaN;
  const serverMs = Date.parse(answer.headers.get("Date") ?? "");
  return Number.isNaN(serverMs)
    ? Math.round((expiresMs - answer.receivedMs) / 1000)
    : Math.floor((expiresMs - serverMs) / 1000);
}

/**
 * The shortest series of wrong sign-ins that detects a careless comparison. A service may count them: the sign-in after it is correct and
 * ends the series.
 */
async function* judgeWrong(run: Run, signing: Signing): Verdicts {
  const { rule } = signing;
  const answers: Answer[] = [];
  for (const body of listWrong(signing)) {
    const answer = await run.askAgain(toAsk(signing, body));
    answers.push(answer);
    const hasToken = answer.isSuccess && at(answer.json, rule.token) !== undefined;
    yield told("wrong", answer, hasToken ? "wrong credentials got a token" : undefined);
    const isRefused = answer.status === 401;
    yield told("status", answer, isRefused ? undefined : `the answer is ${answer.status}`);
  }
  const right = await run.askAgain(toAsk(signing, signing.body));
  const isTaken = right.isSuccess;
  yield told("works", right, isTaken ? undefined : `after wrong ones it is ${right.status}`);
  const [wrong, unknown] = [answers[0], answers.at(-1)];
  if (wrong === undefined || unknown === undefined) return;
  const isAlike = wrong.status === unknown.status && wrong.text === unknown.text;
  const fault = "who is unknown is answered otherwise than a wrong secret";
  yield told("alike", unknown, isAlike ? undefined : fault);
}

/** An extended secret, one in other case, and last an unknown user. */
function listWrong({ rule, body }: Signing): JsonObject[] {
  const secret = String(toFields(body)[rule.secret]);
  const nearly = [`${secret}x`, swapCase(secret)].filter((one) => one !== secret);
  const nobody = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === "string" ? `no-such-${crypto.randomUUID()}` : value,
  ]);
  return [
    ...nearly.map((one) => ({ ...body, [rule.secret]: one })),
    Object.fromEntries(nobody) as JsonObject, // strings and what was there
  ];
}
