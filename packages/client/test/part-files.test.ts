// Downloads into files that end before their time: the next one goes on where they ended.
import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test, vi } from "vitest";

import { createClient } from "../src/index.ts";
import { saveRecording, toSafeFilename } from "../src/node.ts";
import { failureOf, openService, sendFailure } from "./service.ts";
import { createFolder } from "./support/folder.ts";

const sound = randomBytes(500_000);
const digestOf = (bytes: Uint8Array) =>
  `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;

interface Behaviour {
  /** Bytes after which a response stands still. */
  cutAfter: number;
  bytes: Buffer;
  hasRanges?: boolean;
  refusesRanges?: boolean;
}

/** A service of one recording, and the starts of the ranges that it was asked for. */
async function openRecording(behaviour: Behaviour) {
  const starts: number[] = [];
  const { baseUrl } = await openService((response, { headers }) => {
    const { bytes, cutAfter, hasRanges = true } = behaviour;
    const start = hasRanges ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0) : 0;
    starts.push(start);
    if (start > 0 && behaviour.refusesRanges) return sendFailure(response, 416, "No such range");
    response.setHeader("Repr-Digest", digestOf(bytes));
    response.setHeader("Content-Length", bytes.length - start);
    if (start > 0)
      response.setHeader("Content-Range", `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
    response.statusCode = start > 0 ? 206 : 200;
    const end = Math.min(bytes.length, start + cutAfter);
    if (end < bytes.length) response.write(bytes.subarray(start, end));
    else response.end(bytes.subarray(start));
    return undefined;
  });
  const connect = () =>
    createClient({ baseUrl, apiKey: "key-1", maxRetries: 0, idleTimeoutMs: 50 });
  return { starts, connect };
}

test("bytes that arrived before a program ended are not requested again", async () => {
  await using folder = await createFolder();
  const target = join(folder.path, "call.wav");
  const behaviour: Behaviour = { bytes: sound, cutAfter: 60_000 };
  const { starts, connect } = await openRecording(behaviour);
  await failureOf(saveRecording(connect(), { call_id: "1" }, target));
  const left = await readdir(folder.path);
  expect(left).toEqual([expect.stringMatching(/^\.[\da-f]{32}\.part$/)]);
  const had = (await readFile(join(folder.path, left[0] ?? ""))).length;
  expect(had).toBeGreaterThan(0);
  behaviour.cutAfter = Infinity;
  starts.length = 0;
  const saved = await saveRecording(connect(), { call_id: "1" }, target);
  expect(saved).toMatchObject({ bytes: sound.length, verified: "digest" });
  // The first says what the recording is now.
  expect(starts).toEqual([0, had]);
  expect(sound.equals(await readFile(target))).toBe(true);
  expect(await readdir(folder.path)).toEqual(["call.wav"]);
});

test.each([
  ["of a recording that was replaced", { bytes: randomBytes(400_000) }],
  ["where the service has no ranges", { hasRanges: false }],
])("a part %s does no harm", async (_, change) => {
  await using folder = await createFolder();
  const target = join(folder.path, "call.wav");
  const behaviour: Behaviour = { bytes: sound, cutAfter: 60_000 };
  const { connect } = await openRecording(behaviour);
  await failureOf(saveRecording(connect(), { call_id: "1" }, target));
  Object.assign(behaviour, { cutAfter: Infinity }, change);
  await saveRecording(connect(), { call_id: "1" }, target);
  expect(behaviour.bytes.equals(await readFile(target))).toBe(true);
});

test("a part that was damaged is left, and the recording begun again", async () => {
  await using folder = await createFolder();
  const target = join(folder.path, "call.wav");
  const behaviour: Behaviour = { bytes: sound, cutAfter: 60_000 };
  const { connect } = await openRecording(behaviour);
  await failureOf(saveRecording(connect(), { call_id: "1" }, target));
  const [part = ""] = await readdir(folder.path);
  await writeFile(join(folder.path, part), new Uint8Array(50_000));
  behaviour.cutAfter = Infinity;
  await saveRecording(connect(), { call_id: "1" }, target);
  expect(sound.equals(await readFile(target))).toBe(true);
  expect(await readdir(folder.path)).toEqual(["call.wav"]);
});

test("two programs that save the same at once get the same", async () => {
  await using folder = await createFolder();
  const target = join(folder.path, "call.wav");
  const { connect } = await openRecording({ bytes: sound, cutAfter: Infinity });
  const all = [connect(), connect()].map((client) =>
    saveRecording(client, { call_id: "1" }, target),
  );
  const ends = await Promise.allSettled(all);
  expect(ends.map(({ status }) => status)).toContain("fulfilled");
  expect(sound.equals(await readFile(target))).toBe(true);
});

test.each([
  ["300000004821507.wav", "300000004821507.wav"],
  ["../../etc/passwd", ".._.._etc_passwd"],
  ["a:b?c*.wav", "a_b_c_.wav"],
  ["C:\\calls\\1.wav", "C__calls_1.wav"],
  ["con.wav", "_con.wav"],
  ["LPT1", "_LPT1"],
  [" a. ", "a"],
  ["..", "_"],
  ["", "_"],
  ["a\n\u202eb.wav", "a__b.wav"],
  ["\ud800.wav", "\ufffd.wav"],
  [`${"é".repeat(55)}.wav`, `${"é".repeat(55)}.wav`],
  [`${"é".repeat(300)}.wav`, `${"é".repeat(46)}~fef64e7f.wav`],
])("%j is the file %j", (text, name) => {
  expect(toSafeFilename(text)).toBe(name);
  expect(toSafeFilename(name)).toBe(name);
});

test("two that save one target at once save it one after the other", async () => {
  await using folder = await createFolder();
  const target = join(folder.path, "call.wav");
  const { connect } = await openRecording({ bytes: sound, cutAfter: Infinity });
  const ids = ["1", "1", "2"];
  const saved = await Promise.all(
    ids.map((call_id) => saveRecording(connect(), { call_id }, target)),
  );
  expect(saved.map(({ bytes, verified }) => [bytes, verified])).toEqual(
    ids.map(() => [sound.length, "digest"]),
  );
  expect(sound.equals(await readFile(target))).toBe(true);
  expect(await readdir(folder.path)).toEqual(["call.wav"]);
});

test("another program that saves the same recording takes nothing away", async () => {
  await using folder = await createFolder();
  const target = join(folder.path, "call.wav");
  const { connect } = await openRecording({ bytes: sound, cutAfter: Infinity });
  // A copy of the module knows nothing of the other's downloads, as another program does not.
  vi.resetModules();
  const other = await import("../src/node.ts");
  const saved = await Promise.all(
    [saveRecording, other.saveRecording, saveRecording, other.saveRecording].map((save) =>
      save(connect(), { call_id: "1" }, target),
    ),
  );
  expect(saved.map(({ verified }) => verified)).toEqual(saved.map(() => "digest"));
  expect(sound.equals(await readFile(target))).toBe(true);
  expect(await readdir(folder.path)).toEqual(["call.wav"]);
});

test("a part whose rest the service refuses is left, and the recording begun again", async () => {
  await using folder = await createFolder();
  const target = join(folder.path, "call.wav");
  const behaviour: Behaviour = { bytes: sound, cutAfter: 60_000 };
  const { connect } = await openRecording(behaviour);
  await failureOf(saveRecording(connect(), { call_id: "1" }, target));
  Object.assign(behaviour, { cutAfter: Infinity, refusesRanges: true });
  await saveRecording(connect(), { call_id: "1" }, target);
  expect(sound.equals(await readFile(target))).toBe(true);
  expect(await readdir(folder.path)).toEqual(["call.wav"]);
});
