// The client against the contract as a mock service: all fifteen operations, every documented success.
import { routes } from "@call-media/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callOperation } from "../src/client-calls.ts";
import { documentedAnswers, findExample } from "../src/examples.ts";
import { toRequest } from "../src/exchange.ts";
import { toExampleInput } from "../src/input.ts";
import { type Prism, startMock } from "../src/prism.ts";
import { createSteeredClient } from "../src/steered-client.ts";

let mock: Prism;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock[Symbol.asyncDispose]());

// Prism takes query names in any letter case and more besides, so what is sent is looked at here.
test.each(routes)("$operationId is sent as the contract writes it", async (route) => {
  const { client, kept } = createSteeredClient({ baseUrl: mock.baseUrl });
  const input = toExampleInput(route);
  await toContent((await callOperation(client, route, input)).data);
  const expected = toRequest(mock.baseUrl, route, input);
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatchObject({ method: route.method, violations: "", body: input.body });
  expect(toParts(kept[0]?.url ?? "")).toEqual(toParts(expected.url));
  expect(Object.fromEntries(kept[0]?.headers ?? [])).toMatchObject(
    Object.fromEntries(expected.headers),
  );
  const authorization = route.needsCredentials ? "Bearer key-of-the-mock" : null;
  expect(kept[0]?.headers.get("Authorization")).toBe(authorization);
});

const successes = documentedAnswers.filter(({ status }) => status < "300");

test.each(successes)("$operation gives the $status $example of the document", async (answer) => {
  const { route, status, example, value } = answer;
  const prefer = () => `code=${status}, example=${example}`;
  const { client } = createSteeredClient({ baseUrl: mock.baseUrl, prefer });
  const { data, response, requestId } = await callOperation(client, route, toExampleInput(route));
  expect(response.status).toBe(Number(status));
  expect(requestId).toMatch(/./);
  expect(requestId).toBe(response.headers.get("X-Request-Id"));
  expect(await toContent(data)).toEqual(value);
});

const conditional = routes.filter(({ responses }) => "304" in responses);

test.each(conditional)("$operationId gives nothing for a copy that is current", async (route) => {
  const prefer = () => "code=304";
  const { client } = createSteeredClient({ baseUrl: mock.baseUrl, prefer });
  const { data, response } = await callOperation(client, route, toExampleInput(route));
  expect(response.status).toBe(304);
  expect(await toContent(data)).toBe("");
});

test("credentials are exchanged for the token, which goes with the call", async () => {
  // packages/api checks each example against its schema.
  const token = findExample("createToken", "200").value as {
    access_token: string;
    expires: string;
  };
  const credentials = { secretID: "app_4f7c2d91a8", secretKey: "not-a-real-secret" };
  // The example's token expired long ago; the mock says that it is not yet that time.
  const alterResponse = ({ body, status, headers }: Response) => {
    const altered = new Headers(headers);
    altered.set("Date", new Date(Date.parse(token.expires) - 3_600_000).toUTCString());
    return new Response(body, { status, headers: altered });
  };
  const steering = { baseUrl: mock.baseUrl, credentials, alterResponse };
  const { client, kept } = createSteeredClient(steering);
  await client.GET("/flags/public");
  await client.GET("/flags/public");
  const sent = kept.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  expect(sent).toEqual(["POST /Token", "GET /flags/public", "GET /flags/public"]);
  expect(kept[0]).toMatchObject({ body: credentials, violations: "" });
  expect(kept.map(({ headers }) => headers.get("Authorization"))).toEqual([
    null,
    `Bearer ${token.access_token}`,
    `Bearer ${token.access_token}`,
  ]);
});

test("a search reads page after page until one is empty, and gives each record once", async () => {
  const prefer = ({ url }: Request) =>
    url.includes("pageIndex=2") ? "example=NoCall" : "example=OneCall";
  // The number of all records would end it sooner.
  const alterResponse = ({ body, status, headers }: Response) => {
    const altered = new Headers(headers);
    altered.delete("Content-Range");
    return new Response(body, { status, headers: altered });
  };
  const { client, kept } = createSteeredClient({ baseUrl: mock.baseUrl, prefer, alterResponse });
  const days = { startDate: "2026-03-01", endDate: "2026-03-31" };
  const found: unknown[] = [];
  for await (const record of client.calls.search({ ...days, filter: { agent: "x" } }))
    found.push(record);
  const { data } = findExample("searchMetadata", "200").value as { data: unknown[] }; // as above
  expect(found).toEqual([data[0]]);
  const pages = kept.map(({ url }) => new URL(url).searchParams.get("pageIndex"));
  expect(pages).toEqual(["0", "1", "2"]);
});

test("a recording comes with what its headers say", async () => {
  let headers = new Headers();
  const alterResponse = (response: Response) => {
    ({ headers } = response);
    return response;
  };
  const { client } = createSteeredClient({ baseUrl: mock.baseUrl, alterResponse });
  const { body, ...about } = await client.recordings.stream({ call_id: "300000004821507" });
  expect(await toContent(body)).toBe(findExample("streamRecordingByCallId", "200").value);
  const [, filename = ""] =
    /filename="?([^"]+)/.exec(headers.get("Content-Disposition") ?? "") ?? [];
  const [, digest = ""] = /:(.+):/.exec(headers.get("Repr-Digest") ?? "") ?? [];
  expect(about).toMatchObject({
    filename,
    contentType: headers.get("Content-Type"),
    sha256: Buffer.from(digest, "base64").toString("hex"),
  });
});

async function toContent(data: unknown): Promise<unknown> {
  return data instanceof ReadableStream ? new Response(data).text() : data;
}

function toParts(address: string) {
  const { pathname, searchParams } = new URL(address);
  return { pathname, query: Object.fromEntries(searchParams) };
}
