// Requests that are rejected or fail: 400 and above, for every operation and every documented reason.
import type { Route } from "@call-media/api";
import { withBearer, withHeader } from "./exchange.ts";
import { type Input, toExampleInput, toMiscasedInputs, toWrongInputs } from "./input.ts";
import type { Case } from "./service-case.ts";

// More than any request of the contract needs.
const TOO_LARGE_BYTES = 1_000_000;

export function toRefusalCases(route: Route): Case[] {
  return [
    ...toWrongValues(route),
    ...toWrongParts(route),
    ...toWrongForms(route),
    ...toUnauthorized(route),
    ...toRecordingRefusals(route),
    ...toFailures(route),
  ];
}

function toWrongValues(route: Route): Case[] {
  const right = toExampleInput(route);
  return [...toWrongInputs(route, right), ...toMiscasedInputs(route, right)].map(
    ({ fault, about, input }) => ({ title: fault, status: 400, about, input: () => input }),
  );
}

/** Rules of the path, the query and the range that a schema cannot express. */
function toWrongParts({ path, parameters, responses }: Route): Case[] {
  const isSearch = parameters.some(({ name }) => name === "startDate");
  const twice = parameters.filter((parameter) => parameter.in === "query");
  const range = { input: (right: Input) => ({ ...right, header: { Range: "bytes=9-1" } }) };
  return [
    ...(path.endsWith("}")
      ? [{ title: "%zz in the path", status: 400, about: "path", alter: breakEscape }]
      : []),
    ...(isSearch
      ? [{ title: "days in reverse", status: 400, about: "startDate", input: reverseDays }]
      : []),
    ...twice.map(({ name }) => ({
      title: `${name} given twice`,
      status: 400,
      about: name,
      alter: (request: Request) => repeat(request, name),
    })),
    ...("416" in responses ? [{ title: "no range", status: 416, about: "Range", ...range }] : []),
  ];
}

/** A body that is not JSON, is too large, or has another media type; and a response in an unknown format. */
function toWrongForms({ body }: Route): Case[] {
  const withText = (text: string) => (request: Request) =>
    new Request(request, { method: "POST", body: text });
  const withType = (type: string) => (request: Request) =>
    withHeader(request, "Content-Type", type);
  const html = (request: Request) => withHeader(request, "Accept", "text/html");
  const notAcceptable = { title: "a wish for HTML", status: 406, about: "Accept", alter: html };
  if (body === undefined) return [notAcceptable];
  return [
    notAcceptable,
    { title: "no body", status: 400, about: "body", alter: withText("") },
    { title: "half a body", status: 400, about: "body", alter: withText('{"agent":') },
    {
      title: "a body that is too large",
      status: 413,
      about: "body",
      alter: withText(JSON.stringify("x".repeat(TOO_LARGE_BYTES))),
    },
    { title: "plain text", status: 415, about: "Content-Type", alter: withType("text/plain") },
    {
      title: "another charset",
      status: 415,
      about: "charset",
      alter: withType("application/json; charset=utf-16"),
    },
  ];
}

function toUnauthorized({ needsCredentials }: Route): Case[] {
  if (!needsCredentials) {
    const wrong = (field: string) => (right: Input) => ({
      ...right,
      body: { ...(right.body as object), [field]: "wrong" }, // the body of POST /Token
    });
    return [
      { title: "an unknown secretID", status: 401, isRight: true, input: wrong("secretID") },
      { title: "a wrong secretKey", status: 401, isRight: true, input: wrong("secretKey") },
    ];
  }
  const basic = (request: Request) => withHeader(request, "Authorization", "Basic dTpw");
  return [
    { title: "no credentials", status: 401, alter: (request) => withBearer(request, undefined) },
    { title: "credentials of another scheme", status: 401, alter: basic },
    {
      title: "an unknown token",
      status: 401,
      isRight: true,
      alter: (request) => withBearer(request, "unknown"),
    },
  ];
}

function toRecordingRefusals({ path, responses }: Route): Case[] {
  if (!("404" in responses)) return [];
  const identifier = path.includes("{call_id}") ? "call_id" : "ref_id";
  const unknown = (right: Input) => ({ ...right, path: { [identifier]: "no/such call" } });
  const past = (right: Input) => ({ ...right, query: { part: 10_000 } });
  const forbidden = { status: 403, caller: "user without downloads" } as const;
  return [
    { title: "no right to download", isRight: true, about: "allow_download", ...forbidden },
    { title: "an unknown call", status: 404, isRight: true, about: identifier, input: unknown },
    { title: "a part there is none of", status: 404, isRight: true, input: past },
    ...("416" in responses
      ? [{ title: "a range past the end", status: 416, about: "Range", input: rangePastTheEnd }]
      : []),
  ];
}

/** An exhausted limit, and a service that has lost its database or its recordings. */
function toFailures({ responses }: Route): Case[] {
  const lostRecording = {
    title: "a lost recording",
    status: 503,
    service: "damaged",
    caller: "API key",
  } as const;
  return [
    { title: "one request too many", status: 429, service: "limited", caller: "API key" },
    { title: "a lost database", status: 500, service: "broken" },
    ...("404" in responses ? [lostRecording] : []),
  ];
}

function rangePastTheEnd(right: Input): Input {
  return { ...right, header: { Range: "bytes=999999999-" } };
}

function reverseDays(right: Input): Input {
  const { startDate, endDate } = right.query;
  return { ...right, query: { ...right.query, startDate: endDate, endDate: startDate } };
}

function breakEscape(request: Request): Request {
  return new Request(request.url.replace(/[^/]+$/, "%zz"), request);
}

function repeat(request: Request, name: string): Request {
  const url = new URL(request.url);
  url.searchParams.append(name, "1");
  url.searchParams.append(name, "1");
  return new Request(url, request);
}
