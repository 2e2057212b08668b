// The fifteen operations by `@call-media/client/openapi-fetch`: every answer of the document by the mock, then the real service.
import { type Route, routes } from "@call-media/api";
import { type ContractOptions, createOpenapiFetchClient } from "@call-media/client/openapi-fetch";
import { openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDemoArchive, startService } from "../src/demo-service.ts";
import { documentedAnswers } from "../src/examples.ts";
import { type Input, toExampleInput } from "../src/input.ts";
import { startMock } from "../src/prism.ts";
import { toRightInput } from "../src/service-case.ts";

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

describe("by the mock", () => {
  let baseUrl: string;
  beforeAll(async () => {
    ({ baseUrl } = stack.use(await startMock()));
  });

  test.each(documentedAnswers)("$operation gives the $status $example", async (answer) => {
    const { route, status, example, value } = answer;
    const violations: (string | null)[] = [];
    const steer = async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      headers.set("Prefer", `code=${status}, example=${example}`);
      const response = await fetch(url, { ...init, headers });
      violations.push(response.headers.get("sl-violations"));
      return response;
    };
    const options = { baseUrl, apiKey: "key-of-the-mock", maxRetries: 0, fetch: steer };
    const found = await call(route, toExampleInput(route), options);
    expect(found.response.status).toBe(Number(status));
    expect(await toContent(found.data ?? found.error)).toEqual(value);
    expect(found.data === undefined).toBe(status >= "400");
    expect(violations).toEqual([null]);
  });

  test("there is an answer of each operation, and of most an error", () => {
    const operations = documentedAnswers.map(({ operation }) => operation);
    expect(new Set(operations).size).toBe(routes.length);
    expect(documentedAnswers.some(({ status }) => status === "429")).toBe(true);
  });
});

describe("by the service", () => {
  let options: ContractOptions;
  let inputOf: (route: Route) => Input;
  beforeAll(async () => {
    const { directory, access } = stack.use(await makeDemoArchive());
    const store = stack.use(await openStore({ directory }));
    const { baseUrl } = stack.use(await startService(store));
    options = { baseUrl, credentials: access.credentials };
    const params = { query: { status: "active" } } as const;
    const { data } = await createOpenapiFetchClient(options).GET("/users/basic-info", { params });
    inputOf = (route) => toRightInput(route, access, data?.data[0]?.id ?? 0);
  });

  test.each(routes)("$operationId", async (route) => {
    const { data, error, response } = await call(route, inputOf(route), options);
    expect(error).toBeUndefined();
    expect(response.status).toBe(200);
    const content = await toContent(data);
    const filled = typeof content === "string" ? content : Object.values(content as object).flat(2);
    expect(filled.length).toBeGreaterThan(2);
  });
});

interface Found {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type AnyCall = (path: string, init: object) => Promise<Found>;

/** The call by method and path, of which the compiler knows nothing here: the input is made from the document. */
function call(route: Route, input: Input, options: ContractOptions): Promise<Found> {
  const client = createOpenapiFetchClient(options);
  const { path, query, header, body } = input;
  const isStream = "application/octet-stream" in (route.responses["200"]?.content ?? {});
  const init = { params: { path, query, header }, body, ...(isStream && { parseAs: "stream" }) };
  return (client[route.method] as AnyCall)(route.path, init); // as above
}

async function toContent(data: unknown): Promise<unknown> {
  return data instanceof ReadableStream ? new Response(data).text() : data;
}
