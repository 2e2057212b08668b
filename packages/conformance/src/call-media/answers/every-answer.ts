// What every response must satisfy, whichever check sent the request.
import type { Findings } from "../findings.ts";
import { type Answer, isObject, isPassed, isSuccess } from "../answer.ts";
import type { Yardstick } from "../report.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import { bodyRequirements, judgeBody } from "./body.ts";
import { headRequirements, judgeHead } from "./headers.ts";

/** The requirements proved on every response, and on every request that must succeed or that got no response. */
export const ALWAYS_PROVED: readonly RequirementId[] = [
  ...bodyRequirements,
  ...headRequirements,
  "base.https",
  "answer.complete",
  "answer.success",
  "answer.server-error",
  "secrets.kept",
];

/** A shorter text may occur in a response by coincidence. */
const LEAST_SECRET = 8;

export function createJudge(prove: Findings["prove"], against: Yardstick) {
  const findRepeatedId = createIdMemory();
  return (answer: Answer): void => {
    prove("answer.complete", answer, undefined);
    prove("answer.server-error", answer, findServerError(answer));
    prove("secrets.kept", answer, findSecret(answer));
    // The interface permits a refusal in the body only; D12 does not.
    const isBodyDue = against === "interface" ? isSuccess(answer) : isPassed(answer);
    const judgements = [
      ...judgeHead(answer),
      { id: "answer.request-id" as const, fault: findRepeatedId(answer) },
      ...(isBodyDue && answer.ask.method === undefined ? judgeBody(answer) : []),
    ];
    for (const { id, fault } of judgements) prove(id, answer, fault);
  };
}

/** A service may respond with 501 to a method that it does not implement at all (RFC 9110, section 15.6.2). */
function findServerError({ status, ask: { method } }: Answer): string | undefined {
  const isForMethod = status === 501 && method !== undefined;
  return status >= 500 && !isForMethod ? `the answer is ${status}` : undefined;
}

/** Reports an X-Request-Id that another response of the run had. */
function createIdMemory() {
  const known = new Set<string>();
  return ({ headers }: Answer): string | undefined => {
    const id = headers.get("X-Request-Id") ?? "";
    const isTwice = known.has(id);
    known.add(id);
    return isTwice && id !== ""
      ? `another answer has the X-Request-Id ${JSON.stringify(id)} too`
      : undefined;
  };
}

function findSecret({ ask: { body, authorization }, text }: Answer): string | undefined {
  const key = isObject(body) ? body["secretKey"] : undefined;
  const token = authorization?.split(" ")[1];
  const isRepeated = [key, token].some(
    (secret) =>
      typeof secret === "string" && secret.length >= LEAST_SECRET && text.includes(secret),
  );
  return isRepeated ? "a secret of the request is repeated" : undefined;
}
