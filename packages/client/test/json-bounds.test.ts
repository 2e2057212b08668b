// No answer takes more memory than a client allows, however little of it comes over the network.
import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { createClient, ProtocolError, ServiceError } from "../src/index.ts";
import { failureOf, openService, sendFailure } from "./service.ts";

const MB = 1_000_000;
const spaces = new Uint8Array(MB).fill(0x20);
const EMPTY = '{"isError":false,"errorMessage":null,"data":[]}';

/** Answers with JSON that begins with so many MB of spaces, and counts those that were read. */
function createPadded(megabytes: number, json: string) {
  let read = 0;
  const stream = () =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (read++ < megabytes) return controller.enqueue(spaces);
          controller.enqueue(new TextEncoder().encode(json));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  const client = createClient({
    baseUrl: "https://archive.example.com",
    apiKey: "k",
    fetch: async () => new Response(stream()),
  });
  return { client, count: () => read };
}

test("JSON is bounded after decompression, and the error names the option", async () => {
  const { baseUrl } = await openService((response) =>
    response
      .writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" })
      .end(gzipSync(EMPTY.padEnd(MB))),
  );
  const access = { baseUrl, apiKey: "k" };
  const narrow = createClient({ ...access, maxJsonBytes: MB - 1 });
  const error = await failureOf(narrow.GET("/flags/public"));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({
    message:
      "GET /flags/public: the answer is longer than the 999999 bytes that maxJsonBytes allows",
    status: 200,
    attempts: 1,
  });
  const wide = createClient({ ...access, maxJsonBytes: MB });
  expect((await wide.GET("/flags/public")).data.data).toEqual([]);
});

test("by default 64 MB are taken and no more; where a recording comes as base64 more are", async () => {
  const fits = createPadded(63, EMPTY);
  expect((await fits.client.GET("/flags/public")).data.data).toEqual([]);
  const endless = createPadded(Infinity, EMPTY);
  expect(await failureOf(endless.client.GET("/flags/public"))).toBeInstanceOf(ProtocolError);
  expect(endless.count()).toBe(65);

  const recording = { success: true, filename: "a.wav", base64: "AAAA" };
  const json = JSON.stringify({ isError: false, errorMessage: null, data: recording });
  const large = createPadded(65, json);
  const params = { path: { call_id: "1" } };
  const { data } = await large.client.GET("/recording/by-call-id/{call_id}", { params });
  expect(data.data).toEqual(recording);
});

test("an endless error body still gives an error with its status", async () => {
  const { baseUrl } = await openService((response) => response.writeHead(503).end(spaces));
  const client = createClient({ baseUrl, apiKey: "k", maxRetries: 0, maxJsonBytes: 1000 });
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status: 503, message: "GET /flags/public was answered 503" });
});

test("a message quotes 1,000 characters of an errorMessage, and the body has all of it", async () => {
  const { baseUrl } = await openService((response) => sendFailure(response, 400, "x".repeat(MB)));
  const client = createClient({ baseUrl, apiKey: "k" });
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toMatchObject({
    message: "x".repeat(1000),
    body: { errorMessage: "x".repeat(MB) },
  });
});

test.each([0, 1.5, 512 * MB + 1, NaN])("maxJsonBytes %d is refused", (maxJsonBytes) => {
  const create = () => createClient({ baseUrl: "https://a.example", apiKey: "k", maxJsonBytes });
  expect(create).toThrow(new TypeError("maxJsonBytes must be an integer from 1 to 512000000"));
});
