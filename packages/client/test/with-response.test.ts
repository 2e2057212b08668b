// What a recording comes by: `withResponse()` gives it beside the value. A rejection that nobody handles fails the run.
import { expect, test } from "vitest";

import { ConnectionError, createClient, NotFoundError } from "../src/index.ts";
import { failureOf, openService, sendFailure, sendSuccess } from "./service.ts";

const sound = "RIFF....WAVE";
const bytes = new TextEncoder().encode(sound);

test("a stream comes with the response and the request id of its answer", async () => {
  const { client } = await openService((response) =>
    response.writeHead(200, { ETag: '"v1"', "X-Request-Id": "r-7" }).end(sound),
  );
  const opened = await client.recordings.stream({ call_id: "1" }).withResponse();
  expect(opened.requestId).toBe("r-7");
  expect(opened.response.status).toBe(200);
  expect(opened.response.headers.get("ETag")).toBe('"v1"');
  expect(await new Response(opened.data.body).text()).toBe(sound);
});

test("the value can be awaited besides, and one request is sent", async () => {
  const { client, asked } = await openService((response) => response.end(sound));
  const promise = client.recordings.bytes({ call_id: "1" });
  const { data, response, requestId } = await promise.withResponse();
  expect(await promise).toBe(data);
  expect(data.content).toEqual(bytes);
  expect(response.bodyUsed).toBe(true);
  expect(requestId).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test("a recording out of base64 comes with the answer that had the JSON", async () => {
  const { client } = await openService((response, { url }) => {
    response.setHeader("X-Request-Id", url);
    if (url.includes("/stream-")) return sendFailure(response, 405, "No streams here");
    return sendSuccess(response, {
      success: true,
      filename: "a.wav",
      base64: btoa(sound),
    });
  });
  const { data, requestId } = await client.recordings.bytes({ ref_id: "r" }).withResponse();
  expect(data.content).toEqual(bytes);
  expect(requestId).toBe("/recording/by-reference/r");
});

test("a download that broke off and went on comes with its first answer", async () => {
  const ETag = '"v1"';
  const fetch = async (_url: string, { headers }: RequestInit) => {
    if (new Headers(headers).has("Range"))
      return new Response(bytes.subarray(4), {
        status: 206,
        headers: { ETag, "Content-Range": "bytes 4-11/12" },
      });
    return new Response(bytes.subarray(0, 4), { headers: { ETag, "Content-Length": "12" } });
  };
  const client = createClient({
    baseUrl: "https://archive.example",
    apiKey: "k",
    fetch,
    random: () => 0,
  });
  const { data, response } = await client.recordings.bytes({ call_id: "1" }).withResponse();
  expect(data.content).toEqual(bytes);
  expect(response.status).toBe(200);
});

test("a failure rejects the promise of the response, of the value, and of both", async () => {
  const { client } = await openService((response) => sendFailure(response, 404, "There is none"));
  const { recordings } = client;
  const wanted = { call_id: "1" };
  expect(await failureOf(recordings.stream(wanted).withResponse())).toBeInstanceOf(NotFoundError);
  expect(await failureOf(recordings.bytes(wanted))).toBeInstanceOf(NotFoundError);
  const both = recordings.bytes(wanted);
  const [one, other] = [await failureOf(both.withResponse()), await failureOf(both)];
  expect(one).toBe(other);
});

test("a stream that fails while it is read does not fail its answer", async () => {
  const toCut = () =>
    new ReadableStream({ pull: (controller) => controller.error(new TypeError("cut")) });
  const fetch = async () => new Response(toCut());
  const client = createClient({ baseUrl: "https://archive.example", apiKey: "k", fetch });
  const { data, response } = await client.recordings.stream({ call_id: "1" }).withResponse();
  expect(response.ok).toBe(true);
  expect(await failureOf(data.body.getReader().read())).toBeInstanceOf(ConnectionError);
  // In Chromium too, where a Response makes a TypeError of it.
  const whole = client.recordings.bytes({ call_id: "1" });
  expect(await failureOf(whole)).toBeInstanceOf(ConnectionError);
});
