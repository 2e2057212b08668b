// How long a recording is: read from its own bytes, whatever the header of a careless recorder says.
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDuration } from "../src/export/duration.ts";
import { createFolder } from "./support/archives.ts";
import { toFlac, toM4a, toMp3, toOpus, toWave } from "@call-media/test-setup/sounds";

const ENDLESS = 2 ** 32 - 1;

async function measure(content: Uint8Array): Promise<number | undefined> {
  const path = join(await createFolder(), "recording");
  await writeFile(path, content);
  return await readDuration(path);
}

test.each<[kind: string, content: Buffer, seconds: number]>([
  ["linear PCM", toWave({ seconds: 3 }), 3],
  ["A-law", toWave({ format: 6, seconds: 3 }), 3],
  ["mu-law", toWave({ format: 7, seconds: 3 }), 3],
  ["GSM 6.10", toWave({ format: 0x31, seconds: 3.2 }), 3.2],
  ["a RIFF of size 0, data of size 0", toWave({ seconds: 3, riffSize: 0, dataSize: 0 }), 3],
  ["endless sizes", toWave({ seconds: 3, riffSize: ENDLESS, dataSize: ENDLESS }), 3],
  ["data that was cut off", toWave({ seconds: 3, dataSize: 1_000_000 }), 3],
  ["an odd chunk before the data", toWave({ seconds: 3, comment: "odd" }), 3],
  ["an odd chunk without its padding", withoutPadding(toWave({ seconds: 3, comment: "odd" })), 3],
  ["no bytes a second in the format", toWave({ seconds: 3 }).fill(0, 28, 32), 3],
  ["MP3 without a tag", toMp3(100), (100 * 1_152) / 44_100],
  ["Opus", toOpus(3), 3],
  ["FLAC", toFlac(3), 3],
  ["M4A", toM4a(3), 3],
])("%s", async (_kind, content, seconds) => {
  expect(await measure(content)).toBeCloseTo(seconds, 2);
});

test("samples without a header are as long as their name says", async () => {
  const path = join(await createFolder(), "recording");
  await writeFile(path, Buffer.alloc(8_000, 0x7f));
  expect(await readDuration(path, { filename: "a.ulaw" })).toBe(1);
});

test.each<[kind: string, content: Buffer]>([
  ["text", Buffer.from("hello")],
  ["an M4A that was cut before its head", cutBeforeMoov(toM4a(3))],
  ["samples without a header", Buffer.alloc(8_000, 0x7f)],
  ["a WAV of nothing but its head", toWave().subarray(0, 36)],
  ["a WAV that is cut in its format", toWave().subarray(0, 22)],
  ["a WAV of empty chunks", Buffer.concat([toWave().subarray(0, 12), Buffer.alloc(4_000)])],
])("%s does not tell", async (_kind, content) => {
  expect(await measure(content)).toBeUndefined();
});

// Real recordings, of telephone exchanges and of speech corpora.
const corpus =
  process.env["CALL_MEDIA_CORPUS"] ?? join(import.meta.dirname, "../../../../shared/corpus");
const media = join(corpus, "media");
const isThere = (await stat(media).catch(() => undefined)) !== undefined;
if (!isThere)
  console.warn(
    "SKIPPED durations of the corpus: no ../shared/corpus, and CALL_MEDIA_CORPUS names no folder",
  );

test.skipIf(!isThere)(
  "every WAV and MP3 of the corpus tells, and none lasts longer than its bytes allow",
  async () => {
    const found = await readdir(media, { recursive: true });
    const files = found
      .filter((name) => /\.(?:wav|mp3)$/.test(name))
      .map((name) => join(media, name));
    for (const file of files) {
      const seconds = (await readDuration(file)) ?? 0;
      const bytesPerSecond = (await stat(file)).size / seconds;
      expect([file, bytesPerSecond > 900 && bytesPerSecond < 200_000]).toEqual([file, true]);
    }
    expect(files.length).toBeGreaterThan(300);
  },
);

// As a recorder leaves it that writes the head last, and was ended before that.
function cutBeforeMoov(file: Buffer): Buffer {
  return file.subarray(0, file.indexOf("moov") - 4);
}

function withoutPadding(wave: Buffer): Buffer {
  const end = wave.indexOf("odd") + "odd".length;
  return Buffer.concat([wave.subarray(0, end), wave.subarray(end + 1)]);
}
