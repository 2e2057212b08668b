// Downloads that are cut, that change, and that come as base64: whole and right, or a typed error.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";

import { expect, onTestFinished, test } from "vitest";

import { type ClientEvent, createClient, ProtocolError } from "../src/index.ts";
import { saveRecording } from "../src/node.ts";
import { createOpenapiFetchClient } from "../src/openapi-fetch/index.ts";
import {
  type Asked,
  credentials,
  failureOf,
  listOf,
  openService,
  sendFailure,
  sendJson,
} from "./service.ts";

const sound = randomBytes(1_000_003);
const sha256 = createHash("sha256").update(sound).digest("hex");
const digest = `sha-256=:${createHash("sha256").update(sound).digest("base64")}:`;
const strong = { ETag: '"v1"', "Repr-Digest": digest, "Content-Type": "audio/wav" };

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), "call-media-client-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Sends `bytes` from `start`, and cuts the connection after `cutAfter` of them. */
function send(response: ServerResponse, start: number, cutAfter = Infinity, bytes = sound) {
  const rest = bytes.subarray(start);
  response.setHeader("Content-Length", rest.length);
  if (cutAfter >= rest.length) return response.end(rest);
  return response.write(rest.subarray(0, cutAfter), () => response.destroy());
}

const startOf = ({ headers }: Asked) =>
  Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);

function sendRange(response: ServerResponse, asked: Asked, cutAfter: number) {
  const start = startOf(asked);
  const range = { "Content-Range": `bytes ${start}-${sound.length - 1}/${sound.length}` };
  response.statusCode = start > 0 ? 206 : 200;
  for (const [name, value] of Object.entries({ ...strong, ...(start > 0 && range) }))
    response.setHeader(name, value);
  send(response, start, cutAfter);
}

test("a download that is cut goes on where it was, as bytes, as a stream and as a file", async () => {
  const { baseUrl, asked } = await openService((response, one) =>
    sendRange(response, one, 300_000),
  );
  const events: ClientEvent[] = [];
  const client = createClient({
    baseUrl,
    apiKey: "key-1",
    random: () => 0,
    onEvent: (event) => event.type === "resume" && events.push(event),
  });
  const { content, ...about } = await client.recordings.bytes({ call_id: "1" });
  expect(sound.equals(content)).toBe(true);
  expect(about).toMatchObject({ sha256, bytes: sound.length, contentType: "audio/wav" });
  expect(asked).toHaveLength(4);
  const [first, ...further] = asked;
  expect(first?.headers.range).toBeUndefined();
  const [starts, ifRanges] = [
    further.map(startOf),
    further.map(({ headers }) => headers["if-range"]),
  ];
  expect(starts.every((start, index) => start > (starts[index - 1] ?? 0))).toBe(true);
  expect(ifRanges).toEqual(['"v1"', '"v1"', '"v1"']);
  expect(events.map((event) => event.type === "resume" && event.offset)).toEqual(starts);

  const stream = await client.recordings.stream({ call_id: "1" });
  expect(sound.equals(Buffer.concat(await listOf(stream.body)))).toBe(true);
  const target = join(await openFolder(), "call.wav");
  await saveRecording(client, { call_id: "1" }, target);
  expect(sound.equals(await readFile(target))).toBe(true);
});

test("a service that answers a range with the whole is passed over what was had", async () => {
  const { client, asked } = await openService((response) => {
    response.writeHead(200, { ...strong, "Content-Length": sound.length });
    const cutAfter = asked.length < 2 ? 300_000 : sound.length;
    response.write(
      sound.subarray(0, cutAfter),
      () => cutAfter < sound.length && response.destroy(),
    );
    if (cutAfter === sound.length) response.end();
  });
  const { content } = await client.recordings.bytes({ call_id: "1" });
  expect(sound.equals(content)).toBe(true);
  expect(asked).toHaveLength(2);
});

test.each([
  ["another ETag", { ETag: '"v2"' }, 500_000],
  ["another place", { ETag: '"v1"', "Content-Range": "bytes 900000-1000002/1000003" }, 900_000],
  ["no place at all", { ETag: '"v1"', "Content-Range": "" }, 500_000],
])("a rest with %s is not joined on, and nothing is left", async (_name, headers, from) => {
  const folder = await openFolder();
  const { client } = await openService((response, one) => {
    if (startOf(one) === 0) {
      response.writeHead(200, { ETag: '"v1"', "Content-Length": sound.length });
      return response.write(sound.subarray(0, 500_000), () => response.destroy());
    }
    const range = { "Content-Range": `bytes ${startOf(one)}-${sound.length - 1}/${sound.length}` };
    return response.writeHead(206, { ...range, ...headers }).end(sound.subarray(from));
  });
  const error = await failureOf(saveRecording(client, { call_id: "1" }, join(folder, "call.wav")));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(await readdir(folder)).toEqual([]);
});

test("a 416 for the rest of a recording restarts the download", async () => {
  const { client, asked } = await openService((response, one) => {
    if (startOf(one) > 0) return sendFailure(response, 416, "The range is past the end");
    response.writeHead(200, strong);
    // Broken off after its last byte, at first.
    return asked.length > 1 ? response.end(sound) : response.write(sound, () => response.destroy());
  });
  const { content } = await client.recordings.bytes({ call_id: "1" });
  expect(sound.equals(content)).toBe(true);
  expect(asked.map(startOf)).toEqual([0, sound.length, 0]);
});

test("without ETag and digest there is nothing to go on by: a file is begun again", async () => {
  const { client, asked } = await openService((response) =>
    send(response, 0, asked.length < 3 ? 200_000 : Infinity),
  );
  const target = join(await openFolder(), "call.wav");
  const saved = await saveRecording(client, { call_id: "1" }, target);
  expect(saved).toMatchObject({ sha256, bytes: sound.length });
  expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, undefined, undefined]);
  const { content } = await client.recordings.bytes({ call_id: "1" });
  expect(sound.equals(content)).toBe(true);
});

test("a compressed download, whose ranges count other bytes, is begun again and not joined on", async () => {
  const packed = gzipSync(sound);
  const { client, asked } = await openService((response, one) => {
    response.setHeader("ETag", '"v1"').setHeader("Content-Encoding", "gzip");
    const start = startOf(one);
    if (start > 0) response.writeHead(206, { "Content-Range": `bytes ${start}-/*` });
    send(response, start, asked.length < 2 ? 500_000 : Infinity, packed);
  });
  const { content } = await client.recordings.bytes({ call_id: "1" });
  expect(sound.equals(content)).toBe(true);
  expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
});

test("a part that nobody asked for is not taken for the whole", async () => {
  const { client } = await openService((response) => {
    const headers = { "Content-Range": "bytes 0-99/1000003", "Content-Length": 100 };
    response.writeHead(206, headers).end(sound.subarray(0, 100));
  });
  const error = await failureOf(client.recordings.bytes({ call_id: "1" }));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({ status: 206 });
});

test("a service that never gets on is given up", async () => {
  const { client, asked } = await openService((response, one) => sendRange(response, one, 100));
  const error = await failureOf(client.recordings.bytes({ call_id: "1" }));
  expect(error).toMatchObject({ name: "ConnectionError" });
  // Two resumes without progress, and the same once more from the start.
  expect(asked.map(startOf)).toEqual([0, 100, 200, 0, 100, 200]);
});

test("bytes with another digest than announced are refused", async () => {
  const { client } = await openService((response) => {
    response.writeHead(200, strong).end(sound.subarray(1));
  });
  const error = await failureOf(client.recordings.bytes({ call_id: "1" }));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(String(error)).toContain("Repr-Digest");
});

/** A service without streams, whose envelope is `text`. */
const openBase64 = (text: string, status = 404, pieceLength = 65_536) =>
  openService(async (response, { url }) => {
    if (url.startsWith("/recording/stream"))
      return sendFailure(response, status, "No streams here");
    response.writeHead(200, { "Content-Type": "application/json" });
    for (let at = 0; at < text.length; at += pieceLength) {
      response.write(text.slice(at, at + pieceLength));
      if (pieceLength < 100) await new Promise(setImmediate);
    }
    return response.end();
  });

const envelope = (data: object) => JSON.stringify({ isError: false, errorMessage: null, data });
const base64 = sound.toString("base64");

test.each([403, 404, 405, 501])(
  "where the stream is refused with %i it comes as base64",
  async (status) => {
    const text = envelope({ success: true, filename: "../call.wav", base64 });
    const { client, asked } = await openBase64(text, status);
    const { content, ...about } = await client.recordings.bytes({ ref_id: "r/1", part: 2 });
    expect(sound.equals(content)).toBe(true);
    expect(about).toMatchObject({ filename: "call.wav", bytes: sound.length, sha256 });
    expect(asked.map(({ url }) => url)).toEqual([
      "/recording/stream-by-reference/r%2F1?part=2",
      "/recording/by-reference/r%2F1?part=2",
    ]);
    const { source } = await client.recordings.stream({ call_id: "1" });
    expect(source.operationId).toBe("getRecordingByCallId");
  },
);

test("a stream with an error envelope as its body fails with the envelope's message", async () => {
  const { client, baseUrl, asked } = await openService((response) =>
    sendFailure(response, 200, "Tapes are locked"),
  );
  const refused = { name: "EnvelopeError", message: "Tapes are locked", status: 200 };
  expect(await failureOf(client.recordings.bytes({ call_id: "1" }))).toMatchObject(refused);
  const init = { params: { path: { call_id: "1" } }, parseAs: "stream" } as const;
  const path = "/recording/stream-by-call-id/{call_id}";
  expect(await failureOf(client.GET(path, init))).toMatchObject(refused);
  const other = createOpenapiFetchClient({ baseUrl, credentials });
  expect(await failureOf(other.GET(path, init))).toMatchObject(refused);
  expect(asked).toHaveLength(3);
});

const few = Buffer.from([255, 239, 190, 251, 255, 0, 1]); // with + and / in base64
const digits = few.toString("base64");
test.each([
  ["plain", digits],
  ["with the slash escaped", digits.replaceAll("/", "\\/")],
  [
    "with plus and slash as code points",
    digits.replaceAll("+", "\\u002B").replaceAll("/", "\\u002f"),
  ],
  ["in lines", digits.replace(/(.{4})/g, "$1\\r\\n")],
  ["without padding", digits.replace(/=+$/, "")],
  ["empty", ""],
])("base64 %s, in pieces of any length", async (name, written) => {
  const text = `{"isError":false,"data":{"base64": "${written}","success":true,"filename":"x"}}`;
  for (const pieceLength of [1, 2, 3, 5, 7, 1000]) {
    const { client } = await openBase64(text, 404, pieceLength);
    const { content } = await client.recordings.bytes({ call_id: "1" });
    expect(Buffer.from(content)).toEqual(name === "empty" ? Buffer.alloc(0) : few);
  }
});

test.each([
  ["isError", '{"isError":true,"errorMessage":"Locked","data":{}}', "EnvelopeError"],
  ["isError after the content", `{"data":{"base64":"${digits}"},"isError":true}`, "EnvelopeError"],
  ["no isError", `{"data":{"base64":"${digits}"},"errorMessage":""}`, "ProtocolError"],
  ["success false", envelope({ success: false, filename: "", base64: "" }), "EnvelopeError"],
  [
    "success false after the content",
    `{"isError":false,"data":{"base64":"${digits}","success":false}}`,
    "EnvelopeError",
  ],
  ["no base64", envelope({ success: true }), "ProtocolError"],
  ["base64 null", envelope({ success: true, base64: null }), "ProtocolError"],
  ["invalid base64", envelope({ success: true, base64: "%%%%" }), "ProtocolError"],
  ["an early end", envelope({ success: true, base64: digits }).slice(0, -5), "ConnectionError"],
  ["a web page", "<html>", "ProtocolError"],
])("an envelope with %s is a typed error", async (_name, text, name) => {
  const { client } = await openBase64(text);
  expect(await failureOf(client.recordings.bytes({ call_id: "1" }))).toMatchObject({ name });
});

test("an envelope may have its content first", async () => {
  const data = { base64: digits, filename: "a.wav", success: true };
  const text = `\n ${JSON.stringify({ data, errorMessage: "", isError: false })}`;
  const { client } = await openBase64(text, 405, 3);
  const { content } = await client.recordings.bytes({ call_id: "1" });
  expect(Buffer.from(content)).toEqual(few);
});

test("success false is a refusal to a call of the contract, too", async () => {
  const { client } = await openBase64(envelope({ success: false, filename: "", base64: "" }));
  const params = { path: { call_id: "1" } };
  const error = await failureOf(client.GET("/recording/by-call-id/{call_id}", { params }));
  expect(error).toMatchObject({ name: "EnvelopeError", status: 200 });
});

test("invalid JSON is rejected, wherever its chunks end", async () => {
  const pieces = ['{"isError":false,"data":{"base64":"AAA', '\\x","success":true}}'];
  const toBody = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
  const fetch = async (url: string) =>
    url.includes("/stream-") ? new Response("", { status: 404 }) : new Response(toBody());
  const client = createClient({ baseUrl: "https://archive.example", apiKey: "k", fetch });
  const error = await failureOf(client.recordings.bytes({ call_id: "1" }));
  expect(error).toMatchObject({ name: "ProtocolError", status: 200 });
  expect(inspect(error)).not.toContain("AAA");
});

test("a recording that neither way gives is refused as the stream was", async () => {
  const { client, asked } = await openService((response, { url }) =>
    sendFailure(response, url.startsWith("/recording/stream") ? 403 : 404, url),
  );
  const error = await failureOf(client.recordings.stream({ call_id: "1" }));
  expect(error).toMatchObject({ name: "PermissionError", operationId: "streamRecordingByCallId" });
  expect(asked).toHaveLength(2);
});

test("a rejected sign-in is reported as such, not as a rejected stream", async () => {
  const { client, signIns } = await openService(
    () => {},
    (response) => sendFailure(response, 403, "Closed"),
  );
  const error = await failureOf(client.recordings.stream({ call_id: "1" }));
  expect(error).toMatchObject({ operationId: "createToken" });
  expect(signIns).toHaveLength(1);
});

test("once a stream was had, a refusal is that of the recording", async () => {
  const { client, asked } = await openService((response, { url }) =>
    url.endsWith("/1") ? response.end("RIFF") : sendFailure(response, 404, "There is none"),
  );
  await client.recordings.bytes({ call_id: "1" });
  await failureOf(client.recordings.bytes({ call_id: "2" }));
  expect(asked).toHaveLength(2);
});

test("base64 is decoded while it comes", async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const { client } = await openService((response, { url }) => {
    if (url.startsWith("/recording/stream")) return sendJson(response, 405, {});
    response
      .writeHead(200)
      .write(`{"isError":false,"data":{"success":true,"base64":"${digits.slice(0, 8)}`);
    return held.resolve(response);
  });
  const { body } = await client.recordings.stream({ call_id: "1" });
  const reader = body.getReader();
  expect(Buffer.from((await reader.read()).value ?? [])).toEqual(few.subarray(0, 6));
  (await held.promise).end(`${digits.slice(8)}"}}`);
  expect(Buffer.from((await reader.read()).value ?? [])).toEqual(few.subarray(6));
  expect(await reader.read()).toMatchObject({ done: true });
});

const PAGE = "<!DOCTYPE html>\n<html><body>Sign in</body></html>";

test.each([
  ["an HTML page", Buffer.from(PAGE)],
  ["an HTML page", Buffer.from(`\uFEFF \n<html>`)],
  ["XML", Buffer.from('<?xml version="1.0"?><Error/>')],
  ["an HTML page", Buffer.from("<html><body>Ger\xe4t", "latin1")],
  ["XML", Buffer.from("<Error>Zugriff verweigert: Gerät</Error>")],
  ["JSON", Buffer.from('{"error": "expired"}')],
  ["JSON", Buffer.from('["Gerät"]')],
  ["a PDF", Buffer.from("%PDF-1.7\n")],
  ["a picture", Buffer.from("\x89PNG\r\n", "latin1")],
])(
  "%s that is announced as sound is not saved, unless its digest proves it",
  async (what, bytes) => {
    const proof = createHash("sha256").update(bytes).digest("base64");
    let headers: Record<string, string> = { "Content-Type": "audio/wav" };
    const { baseUrl } = await openService((response) =>
      response.writeHead(200, { ...headers, "Content-Length": bytes.length }).end(bytes),
    );
    const client = createClient({ baseUrl, apiKey: "k", maxRetries: 0 });
    const folder = await openFolder();
    const save = () => saveRecording(client, { call_id: "1" }, join(folder, "a.wav"));
    const error = await failureOf(save());
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: "CLIENT_NOT_A_RECORDING" });
    expect(inspect(error)).toContain(`announced as audio/wav, and is ${what}`);
    expect(await readdir(folder)).toEqual([]);

    headers = { ...headers, "Repr-Digest": `sha-256=:${proof}:` };
    expect(await save()).toMatchObject({ verified: "digest", doubt: what });
    headers = { "Content-Type": "application/octet-stream" };
    expect(await save()).not.toHaveProperty("doubt");
  },
);

test.each([
  ["a WAV", Buffer.from("RIFF\0\0\0\0WAVEfmt ", "latin1")],
  ["an MP3", Buffer.from([0xff, 0xfb, 0x90, 0x64])],
  ["G.711 that begins like text", Buffer.from([0x7b, 0x22, 0xd5, 0x54, 0xff, 0x3c])],
  ["nothing", Buffer.alloc(0)],
])("%s is saved without a doubt", async (_what, bytes) => {
  const { baseUrl } = await openService((response) =>
    response.writeHead(200, { "Content-Type": "audio/wav" }).end(bytes),
  );
  const target = join(await openFolder(), "a.wav");
  const client = createClient({ baseUrl, apiKey: "k", maxRetries: 0 });
  expect(await saveRecording(client, { call_id: "1" }, target)).not.toHaveProperty("doubt");
});
