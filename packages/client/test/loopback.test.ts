// Names below `localhost` are this machine, and DNS is not asked who they are (RFC 6761, 6.3).
import dns from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test, vi } from "vitest";

import { ConnectionError, createClient, NotFoundError } from "../src/index.ts";
import { failureOf, openService, sendFailure, sendSuccess } from "./service.ts";

function watchDns() {
  const lookup = vi.spyOn(dns, "lookup");
  onTestFinished(() => lookup.mockRestore());
  return lookup;
}

test("a name below localhost is this machine, and DNS is not asked", async () => {
  const { baseUrl, asked } = await openService((response, { url }) => {
    response.setHeader("X-Request-Id", "r-1");
    if (url.startsWith("/flags")) sendSuccess(response);
    else if (url.startsWith("/chat")) sendFailure(response, 404, "none");
    else response.writeHead(200, { "Content-Type": "audio/wav" }).end("sound");
  });
  const lookup = watchDns();
  const named = baseUrl.replace("127.0.0.1", "archive.LOCALHOST");
  const client = createClient({ baseUrl: named, apiKey: "key-1" });
  const { data, requestId } = await client.GET("/flags/public");
  expect([data.data, requestId]).toEqual([[], "r-1"]);
  expect(asked[0]?.headers).toMatchObject({
    host: new URL(named).host,
    authorization: "Bearer key-1",
  });
  const params = { path: { call_id: "1" } };
  expect(await failureOf(client.GET("/chat/by-call-id/{call_id}", { params }))).toBeInstanceOf(
    NotFoundError,
  );
  const { content } = await client.recordings.bytes({ call_id: "1" });
  expect(new TextDecoder().decode(content)).toBe("sound");
  expect(lookup).not.toHaveBeenCalled();
});

test("a name below localhost is found where only ::1 is listened on", async (context) => {
  const server = createServer((_, response) => sendSuccess(response));
  const isOpen = await new Promise<boolean>((resolve) =>
    server.listen(0, "::1", () => resolve(true)).once("error", () => resolve(false)),
  );
  if (!isOpen) context.skip("this machine has no ::1");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  const client = createClient({ baseUrl: `http://a.localhost:${port}`, apiKey: "k" });
  expect((await client.GET("/flags/public")).data.data).toEqual([]);
});

test("nobody who listens there is a ConnectionError; a call that is given up ends", async () => {
  const { baseUrl, close } = await openService(() => {});
  const named = baseUrl.replace("127.0.0.1", "archive.localhost");
  const client = createClient({ baseUrl: named, apiKey: "k", maxRetries: 0 });
  const stopping = new AbortController();
  const stopped = failureOf(client.GET("/flags/public", { signal: stopping.signal }));
  stopping.abort();
  expect(await stopped).toMatchObject({ name: "AbortError" });
  await close();
  expect(await failureOf(client.GET("/flags/public"))).toBeInstanceOf(ConnectionError);
});
