// Checks status, media type and headers of a response against what the document specifies for the operation and status.
import type { ResponseObject } from "@call-media/api";
import type { Answer } from "../../ask.ts";
import { routeOf } from "../answer.ts";
import { judgeEach, type Judgement } from "./body.ts";
import { refusalCheck } from "./closed-schemas.ts";

// These two belong to no operation (introduction of the document).
const OF_NO_OPERATION = new Set([404, 405]);

export function judgeHead(answer: Answer): readonly Judgement[] {
  const { ask, status, headers, size } = answer;
  // The document defines no operation for OPTIONS.
  if (ask.method === "OPTIONS") return [];
  const { responses } = routeOf(ask.operation);
  const isElsewhere = ask.rewrite !== undefined || ask.method !== undefined;
  const response =
    responses[status] ??
    (isElsewhere && OF_NO_OPERATION.has(status) ? responses["401"] : undefined);
  const always: Judgement[] = [
    { id: "answer.status", fault: response ? undefined : `status ${status} is not documented` },
    {
      id: "answer.request-id",
      fault: headers.get("X-Request-Id") ? undefined : "X-Request-Id is missing",
    },
    { id: "answer.cache", fault: findCacheFault(headers) },
  ];
  if (response === undefined) return always;
  const isOther = OF_NO_OPERATION.has(status) && !(status in responses);
  return [
    ...always,
    { id: "answer.content-type", fault: findTypeFault(answer, response) },
    ...judgeEach("answer.headers", isOther ? [] : listHeaderFaults(headers, response)),
    ...(status === 401
      ? [{ id: "auth.challenge" as const, fault: findChallengeFault(answer) }]
      : []),
    ...(status >= 400 ? [{ id: "error.code" as const, fault: findCodeFault(headers) }] : []),
    ...(answer.isSuccess || size === 0 || status === 304 ? [] : judgeRefusal(answer)),
  ];
}

function findCacheFault(headers: Headers): string | undefined {
  const value = headers.get("Cache-Control");
  return value !== null && /\bno-store\b/i.test(value)
    ? undefined
    : `Cache-Control is ${value ?? "missing"}`;
}

function findTypeFault({ headers, size }: Answer, { content = {} }: ResponseObject) {
  const type = headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  const types = Object.keys(content);
  if (types.length === 0) return size > 0 ? "there is a body where there must be none" : undefined;
  // A recording has the media type of its own bytes, which may be a type that the document does not list (D16).
  if (types.includes("application/octet-stream")) return type ? undefined : "there is no type";
  return type !== undefined && types.includes(type)
    ? undefined
    : `Content-Type is ${type ?? "missing"}`;
}

function listHeaderFaults(headers: Headers, { headers: documented = {} }: ResponseObject) {
  return Object.entries(documented).flatMap(([name, { required = false, schema }]) => {
    const value = headers.get(name);
    if (value === null) return required ? [`${name} is missing`] : [];
    const isOther = schema.const !== undefined && value !== schema.const;
    const isNoInteger = schema.type === "integer" && !/^\d+$/.test(value);
    return isOther || isNoInteger ? [`${name} is ${JSON.stringify(value)}`] : [];
  });
}

function findChallengeFault({ headers, sent }: Answer) {
  const value = headers.get("WWW-Authenticate") ?? "";
  if (!/^Bearer\b/i.test(value)) return `WWW-Authenticate is ${value || "missing"}`;
  const isTokenSent = "Authorization" in sent.headers;
  const hasError = /error="invalid_token"/.test(value);
  if (isTokenSent === hasError) return undefined;
  // RFC 6750, section 3.1: no error code for a request that has no authentication information.
  return isTokenSent ? "there is no error code" : "there is an error code without a token";
}

function findCodeFault(headers: Headers): string | undefined {
  const code = headers.get("X-Error-Code");
  return code !== null && /^CM(_[A-Z]+)+$/.test(code)
    ? undefined
    : `X-Error-Code is ${code ?? "missing"}`;
}

function judgeRefusal({ json }: Answer): readonly Judgement[] {
  return judgeEach("error.body", refusalCheck()(json));
}
