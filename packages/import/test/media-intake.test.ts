// What kinds of recordings are taken in: the media type each is found to have, and what a source may say of one.
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { toFlac, toM4a, toMp3, toOpus, toWave } from "@call-media/test-setup/sounds";

const CALL = { kind: "call", call_id: "A", datetime: "2025-05-01T10:00:00Z" };
const RAW = Buffer.alloc(800, 0x7f);

/** Imports a call with one recording: its file, and what its source says of it. */
async function importOne(content: Uint8Array, said: object = {}) {
  const store = createArchive();
  const path = await writeLines("calls.jsonl", [{ ...CALL, media: [{ file: "a.wav", ...said }] }]);
  await writeFile(join(dirname(path), "a.wav"), content);
  const report = await importFiles({ store, paths: [path], format: "jsonl" });
  const [recording] = await store.calls.recordings({ callId: "A" }, "everything");
  return { recording, reason: report.firstRejections[0]?.reason };
}

test.each<[kind: string, content: Buffer, type: string]>([
  ["linear PCM", toWave(), "audio/wav"],
  ["A-law", toWave({ format: 6 }), "audio/wav"],
  ["mu-law", toWave({ format: 7 }), "audio/wav"],
  ["GSM 6.10", toWave({ format: 0x31 }), "audio/wav"],
  ["a RIFF of size 0", toWave({ riffSize: 0, dataSize: 0 }), "audio/wav"],
  ["a RIFF of endless size", toWave({ riffSize: 2 ** 32 - 1, dataSize: 2 ** 32 - 1 }), "audio/wav"],
  ["a chunk of odd length", toWave({ comment: "odd" }), "audio/wav"],
  ["MP3 without a tag", toMp3(10), "audio/mpeg"],
  ["Opus in Ogg", toOpus(2), "audio/ogg; codecs=opus"],
  ["FLAC", toFlac(2), "audio/flac"],
  ["M4A", toM4a(2), "audio/mp4"],
  ["samples without a header", RAW, "application/octet-stream"],
])("%s is kept as it is and has its media type", async (_kind, content, type) => {
  const { recording } = await importOne(content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  expect(recording?.media).toMatchObject({ sha256, bytes: content.length, type });
});

test("a declared type serves where the bytes show none, and nowhere else", async () => {
  const type = "audio/basic";
  expect((await importOne(RAW, { type })).recording?.media.type).toBe(type);
  expect((await importOne(toWave(), { type })).recording?.media.type).toBe("audio/wav");
});

test("a type that is declared later is kept, and is not lost by an import without it", async () => {
  const store = createArchive();
  const importWith = async (said: object) => {
    const path = await writeLines("calls.jsonl", [{ ...CALL, media: [{ file: "a", ...said }] }]);
    await writeFile(join(dirname(path), "a"), RAW);
    await importFiles({ store, paths: [path], format: "jsonl" });
    return (await store.calls.recordings({ callId: "A" }, "everything"))[0]?.media.type;
  };
  expect(await importWith({})).toBe("application/octet-stream");
  expect(await importWith({ type: "audio/basic" })).toBe("audio/basic");
  expect(await importWith({})).toBe("audio/basic");
});

test("a name of its own is that of the recording", async () => {
  const { recording } = await importOne(RAW, { name: "Gespräch: 1?.wav" });
  expect(recording?.filename).toBe("Gespräch: 1?.wav");
});

test.each<[said: object, content: Buffer, reason: string]>([
  [{}, Buffer.alloc(0), 'media: "a.wav" is empty'],
  [{ type: "text/html" }, RAW, "media[0].type: must be a media type of sound or video"],
  [{ type: "audio/x; charset=y" }, RAW, "media[0].type: must be a media type of sound or video"],
  [{ type: 7 }, RAW, "media[0].type: must be a string"],
  [{ name: "../a.wav" }, RAW, "media[0].name: must be a name, not a path"],
  [{ name: ".." }, RAW, "media[0].name: must be a name, not a path"],
  [{ sha256: "AB" }, RAW, "media[0].sha256: must be 64 lower-case hexadecimal digits"],
  [{ sha256: "ab".repeat(32) }, RAW, "a.wav has another content than its sha256 says"],
  [{ sha512: "ab".repeat(32) }, RAW, "media[0].sha512: must be 128 lower-case hexadecimal digits"],
  [{ sha512: "ab".repeat(64) }, RAW, "a.wav has another content than its sha512 says"],
])("%j is rejected with its reason", async (said, content, reason) => {
  const outcome = await importOne(content, said);
  expect(outcome.reason).toContain(reason);
  expect(outcome.recording).toBeUndefined();
});

test("recordings of many rows are taken in at once, and the rows told of in their order", async () => {
  const store = createArchive();
  const path = await writeLines(
    "calls.jsonl",
    Array.from({ length: 40 }, (_, index) => ({
      ...CALL,
      call_id: `c${index}`,
      media: [{ file: `${index}.wav` }],
    })),
  );
  // Every fourth is missing.
  const there = Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 4 > 0);
  for (const index of there)
    await writeFile(join(dirname(path), `${index}.wav`), Buffer.alloc(800, index));

  const report = await importFiles({ store, paths: [path], format: "jsonl" });
  expect(report).toMatchObject({ read: 40, imported: 30, rejected: 10 });
  expect(report.firstRejections.map(({ line }) => line)).toEqual(
    Array.from({ length: report.firstRejections.length }, (_, index) => 4 * index + 1),
  );
  for (const index of there) {
    const [recording] = await store.calls.recordings({ callId: `c${index}` }, "everything");
    const sha256 = createHash("sha256").update(Buffer.alloc(800, index)).digest("hex");
    expect(recording?.media.sha256).toBe(sha256);
  }
});
