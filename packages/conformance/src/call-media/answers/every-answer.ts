// What every response must satisfy, whichever check sent the request.
import { isObject } from "@call-media/contract-diff";
import { type Answer, isPassed } from "../../ask.ts";
import type { Yardstick } from "../target.ts";
import type { Instance } from "../../instance.ts";
import type { Run } from "../../run.ts";
import { judgeBody, type Judgement } from "./body.ts";
import { judgeHead } from "./headers.ts";

/** A shorter text may occur in a response by coincidence. */
const LEAST_SECRET = 8;

export function createJudge(against: Yardstick): Instance["judgeAnswer"] {
  const findRepeatedId = createIdMemory();
  let isAddressJudged = false;
  return function* judge(answer, run, isAsked) {
    // The interface permits a refusal in the body only; D12 does not.
    const isBodyDue = against === "interface" ? answer.isSuccess : isPassed(answer);
    // A finding stands at an operation that is reported.
    const isFirst = !isAddressJudged && isAsked(answer.operation.id);
    isAddressJudged ||= isFirst;
    const judgements: readonly Judgement[] = [
      ...(isFirst ? [{ id: "base.https" as const, fault: findPlainHttp(answer) }] : []),
      { id: "answer.complete" },
      { id: "answer.server-error", fault: findServerError(answer) },
      { id: "secrets.kept", fault: findSecret(answer, run) },
      ...judgeHead(answer),
      { id: "answer.request-id" as const, fault: findRepeatedId(answer) },
      ...(isBodyDue && answer.ask.method === undefined ? judgeBody(answer) : []),
    ];
    for (const { id, fault } of judgements)
      yield { clause: id, answer, fault, witness: "a response" };
  };
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function findPlainHttp({ sent: { url } }: Answer): string | undefined {
  const { protocol, hostname } = new URL(url);
  const isSafe = protocol === "https:" || LOOPBACK.test(hostname);
  return isSafe ? undefined : "the base address uses plain HTTP";
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

function findSecret({ ask: { body, caller }, text, operation }: Answer, run: Run) {
  const key = isObject(body) ? body["secretKey"] : undefined;
  const sender = operation.security.length === 0 ? null : (caller ?? run.callers.first);
  const token = caller === null ? undefined : sender?.headers["Authorization"]?.split(" ")[1];
  const isRepeated = [key, token].some(
    (secret) =>
      typeof secret === "string" && secret.length >= LEAST_SECRET && text.includes(secret),
  );
  return isRepeated ? "a secret of the request is repeated" : undefined;
}
