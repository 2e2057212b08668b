// The client against the contract as a mock service: every documented error, and every input that the contract forbids.
import { type OperationId, type Route, routes } from "@call-media/api";
import {
  AuthenticationError,
  CallMediaError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
} from "@call-media/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callOperation } from "../src/client-calls.ts";
import { documentedAnswers, findExample, toErrorMessage } from "../src/examples.ts";
import { type Input, toExampleInput, toWrongInputs } from "../src/input.ts";
import { type Prism, startMock } from "../src/prism.ts";
import { createSteeredClient, type SteeredClient } from "../src/steered-client.ts";

const CLASSES: Readonly<Record<string, unknown>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  406: InvalidRequestError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  416: InvalidRequestError,
  429: RateLimitError,
  500: ServiceError,
  503: ServiceError,
};

let mock: Prism;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock[Symbol.asyncDispose]());

const errors = documentedAnswers.filter(({ status }) => status >= "400");

test.each(errors)("$operation throws the $status $example of the document", async (answer) => {
  const { route, status, example } = answer;
  const prefer = () => `code=${status}, example=${example}`;
  const steered = createSteeredClient({ baseUrl: mock.baseUrl, prefer });
  const error = await failureOf(steered, route, toExampleInput(route));
  expect(error.constructor).toBe(CLASSES[status]);
  expect(error).toMatchObject({
    message: toErrorMessage(answer),
    status: Number(status),
    method: route.method,
    path: route.path,
    requestId: expect.stringMatching(/./),
    ...(status === "429" ? { retryAfterMs: 30_000 } : {}),
  });
});

const closed = routes.filter(({ needsCredentials }) => needsCredentials);

test.each(closed)("$operationId without credentials is refused", async (route) => {
  const alterRequest = ({ headers }: Request) => headers.delete("Authorization");
  const steered = createSteeredClient({ baseUrl: mock.baseUrl, alterRequest });
  const error = await failureOf(steered, route, toExampleInput(route));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error.message).toBe(toErrorMessage(findExample(route.operationId, "401")));
});

const wrong = routes.flatMap((route) => {
  const operation: OperationId = route.operationId;
  return toWrongInputs(route, toExampleInput(route)).map((one) => ({ operation, route, ...one }));
});

test.each(wrong)(
  "$operation with $fault is refused",
  async ({ operation, route, about, input }) => {
    const steered = createSteeredClient({ baseUrl: mock.baseUrl });
    const error = await failureOf(steered, route, input);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.status).toBe(400);
    expect(error.message).toBe(toErrorMessage(findExample(operation, "400")));
    // Prism writes the names of query parameters in small letters.
    expect(steered.kept[0]?.violations.toLowerCase()).toContain(about.toLowerCase());
  },
);

const identified = routes.filter(({ path }) => path.includes("{"));

test.each(identified)("$operationId without its identifier is not even sent", async (route) => {
  const steered = createSteeredClient({ baseUrl: mock.baseUrl });
  const error = await failureOf(steered, route, { ...toExampleInput(route), path: {} });
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.status).toBeUndefined();
  expect(steered.kept).toEqual([]);
});

async function failureOf(
  { client }: SteeredClient,
  route: Route,
  input: Input,
): Promise<CallMediaError> {
  try {
    await callOperation(client, route, input);
  } catch (error) {
    if (error instanceof CallMediaError) return error;
    throw error;
  }
  throw new Error(`${route.operationId} was not refused`);
}
