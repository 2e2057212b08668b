// A recording as a stream and as a file: complete and right, or not there.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

import { expect, onTestFinished, test } from "vitest";

import { ConnectionError, createClient, NotFoundError, ProtocolError } from "../src/index.ts";
import { saveRecording } from "../src/node.ts";
import { failureOf, openService, sendFailure } from "./service.ts";

// Larger than what a socket and a stream take in one piece.
const sound = randomBytes(1_000_003);
const digest = createHash("sha256").update(sound).digest();
const reprDigest = (bytes: Buffer) => `sha-256=:${bytes.toString("base64")}:`;

const complete = {
  "Content-Type": "audio/wav",
  "Content-Length": String(sound.length),
  "Content-Disposition": 'attachment; filename="call 1.wav"',
  "Repr-Digest": reprDigest(digest),
};

async function openRecording(headers: OutgoingHttpHeaders, bytes: Uint8Array = sound) {
  return openService((response) => response.writeHead(200, headers).end(bytes));
}

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), "call-media-client-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("stream gives the bytes and what the service announced", async () => {
  const { client, asked } = await openRecording(complete);
  const { body, source, ...announced } = await client.recordings.stream({
    call_id: "1",
    part: 2,
  });
  expect(source.operationId).toBe("streamRecordingByCallId");
  expect(announced).toEqual({
    filename: "call 1.wav",
    contentType: "audio/wav",
    bytes: sound.length,
    sha256: digest.toString("hex"),
  });
  expect((await buffer(body)).equals(sound)).toBe(true);
  await (await client.recordings.stream({ ref_id: "r" })).body.cancel();
  expect(asked.map(({ url }) => url)).toEqual([
    "/recording/stream-by-call-id/1?part=2",
    "/recording/stream-by-reference/r",
  ]);
});

test("stream does without headers that are missing or make no sense", async () => {
  const { client } = await openRecording({ "Repr-Digest": "sha-256=:AAAA:, md5=:AAAA:" });
  const { body, source: _, ...announced } = await client.recordings.stream({ call_id: "1" });
  await body.cancel();
  expect(announced).toEqual({
    filename: undefined,
    contentType: "application/octet-stream",
    bytes: undefined,
    sha256: undefined,
  });
});

test.each<[header: string | undefined, sound: object | undefined]>([
  [
    'duration=17.040, codec="pcm", rate=8000, channels=2, findings=("channel-silent";channels="1,2" "truncated";percent=50)',
    {
      seconds: 17.04,
      codec: "pcm",
      rate: 8_000,
      channels: 2,
      findings: [
        { kind: "channel-silent", percent: undefined, channels: [1, 2] },
        { kind: "truncated", percent: 50, channels: [] },
      ],
    },
  ],
  ["findings=()", { findings: [] }],
  ['later=1, findings=("of-a-newer-service")', { findings: [{ kind: "of-a-newer-service" }] }],
  [undefined, undefined],
  ["duration=17.040", undefined],
  ["<html>, findings=()", undefined],
])("stream gives what was found in the bytes (D37): %s", async (header, expected) => {
  const more = header === undefined ? {} : { "Recording-Sound": header };
  const { client } = await openRecording({ ...complete, ...more });
  const { body, sound: told } = await client.recordings.stream({ call_id: "1" });
  await body.cancel();
  expect({ told }).toMatchObject({ told: expected });
});

test.each([
  ['attachment; filename="a b.wav"', "a b.wav"],
  ["attachment; filename=a.wav", "a.wav"],
  ['attachment; filename="say \\"hi\\".wav"', 'say "hi".wav'],
  ["attachment; filename=\"x.wav\"; filename*=UTF-8''%C3%BCber%20x.wav", "über x.wav"],
  ["attachment; FileName*=utf-8'de'%C3%BC.wav; filename=x.wav", "ü.wav"],
  ["attachment; filename*=UTF-8''%FF.wav; filename=x.wav", "x.wav"],
  ['attachment; filename="../../etc/passwd"', "passwd"],
  ['attachment; filename="C:\\\\calls\\\\1.wav"', "1.wav"],
  ["attachment; filename*=UTF-8''..%2F..%2Fx.wav", "x.wav"],
  ['attachment; filename=".."', undefined],
  ['attachment; filename="a/"', undefined],
  ["attachment; filename*=UTF-8''a%00.wav", undefined],
  ["inline", undefined],
])("the file name of %s", async (disposition, filename) => {
  const { client } = await openRecording({ "Content-Disposition": disposition });
  const recording = await client.recordings.stream({ call_id: "1" });
  await recording.body.cancel();
  expect(recording.filename).toBe(filename);
});

test("saveRecording writes the file, replaces an older one, and leaves nothing else", async () => {
  const folder = await openFolder();
  const target = join(folder, "call.wav");
  await writeFile(target, "older");
  const { client } = await openRecording(complete);
  expect(await saveRecording(client, { call_id: "1" }, target)).toEqual({
    filename: "call 1.wav",
    contentType: "audio/wav",
    bytes: sound.length,
    sha256: digest.toString("hex"),
    verified: "digest",
  });
  expect((await readFile(target)).equals(sound)).toBe(true);
  expect(await readdir(folder)).toEqual(["call.wav"]);
});

test.each([
  ["digest", { "Repr-Digest": reprDigest(digest) }],
  ["length", { "Content-Length": String(sound.length) }],
  // Length and digest are those of the encoded bytes, which nobody sees.
  ["nothing", { ...complete, "Content-Encoding": "gzip" }],
  ["nothing", {}],
])("saveRecording says that %s proves the bytes", async (verified, headers) => {
  const isPacked = "Content-Encoding" in headers;
  const bytes = isPacked ? gzipSync(sound) : sound;
  const length = isPacked ? { "Content-Length": String(bytes.length) } : {};
  const { client } = await openRecording({ ...headers, ...length }, bytes);
  const target = join(await openFolder(), "call.wav");
  expect(await saveRecording(client, { call_id: "1" }, target)).toMatchObject({ verified });
});

test("saveRecording does without length and digest, and gives those of the file", async () => {
  const target = join(await openFolder(), "call.wav");
  const { client } = await openRecording({});
  const saved = await saveRecording(client, { ref_id: "r" }, target);
  expect(saved).toMatchObject({ bytes: sound.length, sha256: digest.toString("hex") });
});

test("a recording that a proxy compressed is saved uncompressed", async () => {
  const target = join(await openFolder(), "call.wav");
  const packed = gzipSync(sound);
  const headers = {
    "Content-Encoding": "gzip",
    "Content-Length": packed.length,
    "Repr-Digest": reprDigest(createHash("sha256").update(packed).digest()),
  };
  const { client } = await openRecording(headers, packed);
  await saveRecording(client, { call_id: "1" }, target);
  expect((await readFile(target)).equals(sound)).toBe(true);
});

const UNSAID = "GET /recording/stream-by-call-id/{call_id} was refused";

test.each([
  ["its reason", { isError: true, errorMessage: "The tape is gone", data: [] }, "The tape is gone"],
  ["no reason", { isError: true, errorMessage: null, data: [] }, UNSAID],
  ["no success alone", { data: { success: false } }, UNSAID],
])("a refusal that comes as bytes, with %s, is not saved", async (_, refusal, message) => {
  const folder = await openFolder();
  const { client } = await openRecording(
    { "Content-Type": "application/octet-stream" },
    Buffer.from(JSON.stringify(refusal)),
  );
  const error = await failureOf(saveRecording(client, { call_id: "1" }, join(folder, "a.wav")));
  expect(error).toMatchObject({ name: "EnvelopeError", message, status: 200 });
  expect(await readdir(folder)).toEqual([]);
});

test.each(["{", '{"isError":false}', '{"isError":true', "[]"])(
  "a recording is saved even if it begins like an envelope: %s",
  async (content) => {
    const target = join(await openFolder(), "call.wav");
    const { client } = await openRecording({}, Buffer.from(content));
    await saveRecording(client, { call_id: "1" }, target);
    expect(await readFile(target, "utf8")).toBe(content);
  },
);

test("an empty recording is an empty file", async () => {
  const target = join(await openFolder(), "call.wav");
  const empty = createHash("sha256").digest();
  const headers = { "Content-Length": "0", "Repr-Digest": reprDigest(empty) };
  const { client } = await openRecording(headers, Buffer.alloc(0));
  expect(await saveRecording(client, { call_id: "1" }, target)).toMatchObject({ bytes: 0 });
  expect(await readFile(target)).toHaveLength(0);
});

test("with a wrong digest nothing is left, and an older file stays", async () => {
  const folder = await openFolder();
  const target = join(folder, "call.wav");
  await writeFile(target, "older");
  const { client } = await openRecording({
    ...complete,
    "Repr-Digest": reprDigest(randomBytes(32)),
  });
  const error = await failureOf(saveRecording(client, { call_id: "1" }, target));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({ path: "/recording/stream-by-call-id/{call_id}" });
  expect(String(error)).toContain("Repr-Digest");
  expect(await readFile(target, "utf8")).toBe("older");
  expect(await readdir(folder)).toEqual(["call.wav"]);
});

test.each([
  ["with a digest leaves a part for the next", complete, [expect.stringMatching(/^\..*\.part$/)]],
  ["in chunks leaves nothing", { "Content-Type": "audio/wav" }, []],
])("a download that is cut %s", async (_name, headers, left) => {
  const folder = await openFolder();
  const { client } = await openService((response) => {
    response.writeHead(200, headers);
    response.write(sound.subarray(0, 500_000), () => response.destroy());
  });
  const error = await failureOf(saveRecording(client, { ref_id: "r" }, join(folder, "call.wav")));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ path: "/recording/stream-by-reference/{ref_id}" });
  expect(error).toHaveProperty("cause.name", "TypeError");
  expect(await readdir(folder)).toEqual(left);
});

test("a fetch that passes over a missing end is found out", async () => {
  const folder = await openFolder();
  const { baseUrl } = await openRecording({});
  const headers = { "Content-Length": String(sound.length + 1) };
  const fetch = async (url: string, init: RequestInit) =>
    new Response((await globalThis.fetch(url, init)).body, { headers });
  const client = createClient({ baseUrl, apiKey: "k", fetch });
  const error = await failureOf(saveRecording(client, { call_id: "1" }, join(folder, "call.wav")));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(String(error)).toContain("1000003 of 1000004 bytes came");
  expect(await readdir(folder)).toEqual([]);
});

test("a signal stops a download, and nothing is left", async () => {
  const folder = await openFolder();
  const controller = new AbortController();
  const { client } = await openService((response) => {
    response.writeHead(200, complete);
    response.write(sound.subarray(0, 500_000), () => controller.abort(new Error("enough")));
  });
  const { signal } = controller;
  const saving = saveRecording(client, { call_id: "1", signal }, join(folder, "call.wav"));
  expect(await failureOf(saving)).toMatchObject({
    name: "AbortError",
    cause: { message: "enough" },
  });
  expect(await readdir(folder)).toEqual([]);
});

test("a recording that does not exist leaves nothing", async () => {
  const folder = await openFolder();
  const { client } = await openService((response) => sendFailure(response, 404, "No recording"));
  const error = await failureOf(saveRecording(client, { call_id: "1" }, join(folder, "call.wav")));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(await readdir(folder)).toEqual([]);
});

test("a folder that does not exist is the error of the file system, and the download ends", async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await openService((response) => {
    response.on("close", closed.resolve);
    response.writeHead(200).write(sound); // and goes on for ever
  });
  const target = join(await openFolder(), "none", "call.wav");
  const error = await failureOf(saveRecording(client, { call_id: "1" }, target));
  expect(error).toMatchObject({ code: "ENOENT" });
  await closed.promise;
});
