// The judge of the service, judged: what it has to find in an answer that is not as documented.
import { type OperationId, routes } from "@call-media/api";
import { expect, test } from "vitest";
import { createAnswerCheck } from "../src/answer-check.ts";

const check = createAnswerCheck();

const RIGHT_HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "X-Request-Id": "1",
  "Cache-Control": "no-store",
};
const RIGHT_MESSAGE = {
  call_id: "1",
  transcript: "Hello.",
  datetime: "2026-03-12T09:14:05+00:00",
  party_type: "agent",
  label: null,
  room_id: "r",
};
const { room_id: _, ...WITHOUT_ROOM } = RIGHT_MESSAGE;
const { call_id, ...OTHERS } = RIGHT_MESSAGE;

function toBody(message: object) {
  return { isError: false, errorMessage: null, data: [message] };
}

interface Parts {
  readonly operation?: OperationId;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

function faultsOf(parts: Parts): string {
  const {
    operation = "getChatByCallId",
    status = 200,
    headers,
    body = toBody(RIGHT_MESSAGE),
  } = parts;
  const route = routes.find(({ operationId }) => operationId === operation);
  if (route === undefined) throw new Error(`the document has no ${operation}`);
  const answer = {
    status,
    headers: new Headers(headers ?? RIGHT_HEADERS),
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
  return check(route, answer).join("; ");
}

test("a right answer has no fault", () => {
  expect(faultsOf({})).toBe("");
});

const wrong: readonly (Parts & { fault: string; found: string })[] = [
  { fault: "another status", status: 201, found: "status 201 is not documented" },
  {
    fault: "no X-Request-Id",
    headers: { ...RIGHT_HEADERS, "X-Request-Id": "" },
    found: "X-Request-Id must NOT have fewer than 1",
  },
  {
    fault: "no Cache-Control",
    headers: { "Content-Type": "application/json", "X-Request-Id": "1" },
    found: "header Cache-Control is missing",
  },
  {
    fault: "another media type",
    headers: { ...RIGHT_HEADERS, "Content-Type": "text/html" },
    found: "media type text/html is not documented",
  },
  { fault: "a missing field", body: toBody(WITHOUT_ROOM), found: "property 'room_id'" },
  { fault: "an unknown field", body: toBody({ ...RIGHT_MESSAGE, mood: 1 }), found: '"mood"' },
  {
    fault: "a value of another type",
    body: toBody({ ...RIGHT_MESSAGE, label: 5 }),
    found: "/data/0/label must be string,null",
  },
  {
    fault: "a datetime without offset",
    body: toBody({ ...RIGHT_MESSAGE, datetime: "2026-03-12T09:14:05" }),
    found: 'format "date-time"',
  },
  {
    fault: "another order of fields",
    body: toBody({ ...OTHERS, call_id }),
    found: "data/0 has its fields in another order",
  },
  {
    fault: "an error that says it is none",
    status: 401,
    headers: { ...RIGHT_HEADERS, "WWW-Authenticate": "Bearer" },
    body: { isError: false, errorMessage: "The access token expired", data: [] },
    found: "/isError must be equal to constant",
  },
  {
    fault: "a body under 304",
    operation: "streamRecordingByCallId",
    status: 304,
    headers: { ...RIGHT_HEADERS, ETag: '"1"', "Last-Modified": "Thu, 12 Mar 2026 09:18:31 GMT" },
    found: "there is a body where there must be none",
  },
];

test.each(wrong)("$fault is found", ({ found, ...parts }) => {
  expect(faultsOf(parts)).toContain(found);
});
