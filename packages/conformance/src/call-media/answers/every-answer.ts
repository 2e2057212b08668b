// What every answer is held to, whichever check asked for it.
import type { Findings } from "../findings.ts";
import { type Answer, isObject, isPassed, isSuccess } from "../answer.ts";
import type { Yardstick } from "../report.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import { bodyRequirements, judgeBody } from "./body.ts";
import { headRequirements, judgeHead } from "./headers.ts";

/** What is proved of every answer, and by every request that has to succeed or has no answer. */
export const ALWAYS_PROVED: readonly RequirementId[] = [
  ...bodyRequirements,
  ...headRequirements,
  "base.https",
  "answer.complete",
  "answer.success",
  "answer.server-error",
  "secrets.kept",
];

/** A text that is shorter may stand in an answer by chance. */
const LEAST_SECRET = 8;

export function createJudge(prove: Findings["prove"], against: Yardstick) {
  const findRepeatedId = createIdMemory();
  return (answer: Answer): void => {
    prove("answer.complete", answer, undefined);
    prove("answer.server-error", answer, findServerError(answer));
    prove("secrets.kept", answer, findSecret(answer));
    // To refuse in the body alone is lawful by the interface, not by D12.
    const isBodyDue = against === "interface" ? isSuccess(answer) : isPassed(answer);
    const judgements = [
      ...judgeHead(answer),
      { id: "answer.request-id" as const, fault: findRepeatedId(answer) },
      ...(isBodyDue && answer.ask.method === undefined ? judgeBody(answer) : []),
    ];
    for (const { id, fault } of judgements) prove(id, answer, fault);
  };
}

/** A method that a service does not implement at all may be answered 501 (RFC 9110, section 15.6.2). */
function findServerError({ status, ask: { method } }: Answer): string | undefined {
  const isForMethod = status === 501 && method !== undefined;
  return status >= 500 && !isForMethod ? `the answer is ${status}` : undefined;
}

/** Tells an X-Request-Id that another answer of the run had. */
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
