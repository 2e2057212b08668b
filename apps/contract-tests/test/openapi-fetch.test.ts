// The generated types with plain openapi-fetch, which is also the judge of what the client sends.
import { type paths, type Route, routes } from "@call-media/api";
import createOpenapiClient from "openapi-fetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callOperation } from "../src/client-calls.ts";
import { type Input, toExampleInput } from "../src/input.ts";
import { type Prism, startMock } from "../src/prism.ts";
import { createSteeredClient } from "../src/steered-client.ts";

let mock: Prism;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock[Symbol.asyncDispose]());

test("openapi-fetch reads the mock with the generated types", async () => {
  const openapi = createOpenapiClient<paths>({
    baseUrl: mock.baseUrl,
    headers: { Authorization: "Bearer key-of-the-mock" },
  });
  const { data, error } = await openapi.POST("/metadata/search", {
    params: { query: { pageIndex: 0, startDate: "2026-03-01", endDate: "2026-03-31" } },
    body: { agent: "ana.kovac" },
  });
  expect(error).toBeUndefined();
  expect(data?.data[0]?.call_id).toEqual(expect.any(String));
  expect(data?.isError satisfies false | undefined).toBe(false);
});

// What needs escaping in a path or a query, and what a careless serializer loses.
const TEXTS = ["a b+c", "50%", "a/b?c=d&e#f", "Žofie 🎧", "'(~*!)", "a%2Fb"];

test.each(routes)("$operationId is sent as openapi-fetch sends it", async (route) => {
  for (const text of ["", ...TEXTS]) {
    const input = text === "" ? toExampleInput(route) : withText(route, text);
    expect(await requestOfClient(route, input), text).toEqual(
      await requestOfOpenapiFetch(route, input),
    );
  }
});

/** The example, with `text` for each identifier and each text of the body. */
function withText(route: Route, text: string): Input {
  const { path, body, ...others } = toExampleInput(route);
  const replace = (values: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === "string" ? text : value,
      ]),
    );
  return { ...others, path: replace(path), body: body && replace(body) };
}

async function requestOfClient(route: Route, input: Input) {
  const { client, kept } = createSteeredClient({ baseUrl: mock.baseUrl });
  // Some of the texts are refused by the mock: what was sent is all that counts.
  await callOperation(client, route, input).catch(() => undefined);
  expect(kept).toHaveLength(1);
  const { method, url, body, headers } = kept[0] ?? { headers: new Headers() };
  return { method, url, body, type: headers.get("Content-Type") };
}

async function requestOfOpenapiFetch(route: Route, { path, query, header, body }: Input) {
  const sent: Request[] = [];
  const openapi = createOpenapiClient<Record<string, Record<"get" | "post", AnyOperation>>>({
    baseUrl: mock.baseUrl,
    fetch: async (request) => {
      sent.push(request);
      return Response.json({});
    },
  });
  const init = { params: { path, query, header }, body };
  await (route.method === "GET" ? openapi.GET(route.path, init) : openapi.POST(route.path, init));
  const [request] = sent;
  const text = (await request?.text()) ?? "";
  return {
    method: request?.method,
    url: request?.url,
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
    type: request?.headers.get("Content-Type") ?? null,
  };
}

/** An operation of which the compiler knows nothing: the inputs are made from the document. */
interface AnyOperation {
  parameters: { path?: object; query?: object; header?: object };
  requestBody?: { content: { "application/json": unknown } };
  responses: { 200: { content: { "application/json": unknown } } };
}
