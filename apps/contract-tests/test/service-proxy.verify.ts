// The real service once more, through Prism as a judge that knows nothing of this repository's own checks. JSON only: Prism
// spoils the bytes of a recording.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { routes } from "@call-media/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../src/exchange.ts";
import { type Prism, startProxy } from "../src/prism.ts";
import { toCaseRequest } from "../src/service-case.ts";
import { serviceCases } from "../src/service-cases.ts";
import { createWorld, type World } from "../src/world.ts";

let world: World;
let proxy: Prism;
beforeAll(async () => {
  world = await createWorld();
  proxy = await startProxy(world.baseUrls.open);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const judged = serviceCases.filter(
  ({ isRight, route, status }) =>
    isRight && "application/json" in (route.responses[status]?.content ?? {}),
);

test("every operation that answers in JSON is judged", () => {
  const inJson = routes.filter(
    ({ responses }) => "application/json" in (responses["200"]?.content ?? {}),
  );
  const operations = new Set(
    judged.filter(({ status }) => status === 200).map(({ operation }) => operation),
  );
  expect(inJson.filter(({ operationId }) => !operations.has(operationId))).toEqual([]);
});

test.each(judged)("$operation: nothing against $title, answered $status", async (entry) => {
  const answer = await send(toCaseRequest(entry, world, proxy.baseUrl));
  expect(answer.headers.get("sl-violations")).toBeNull();
  expect(answer.status).toBe(entry.status);
  expect(answer.headers.get("X-Request-Id")).toMatch(/./);
});

test("an answer that lacks a field does not pass", async () => {
  const entry = judged.find(({ operation }) => operation === "getMetadataByCallId");
  if (entry === undefined) throw new Error("no case of getMetadataByCallId is judged");
  const right = await send(toCaseRequest(entry, world));
  const wrong = new TextDecoder().decode(right.body).replace('"notes":', '"remarks":');
  await using upstream = await startUpstream(wrong, right.headers);
  await using judge = await startProxy(upstream.baseUrl);
  const answer = await send(toCaseRequest(entry, world, judge.baseUrl));
  expect(answer.headers.get("sl-violations")).toContain("required property 'notes'");
});

/** A service that gives this answer to everything. */
async function startUpstream(body: string, headers: Headers): Promise<Prism> {
  const { "content-length": _, ...others } = Object.fromEntries(headers);
  const server = createServer((_request, response) => response.writeHead(200, others).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // an IP socket, not a pipe
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
