// Muting: silence within the spans, every other sample as it was, and nothing else of the original in the file.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { array, assert, asyncProperty, constantFrom, integer } from "fast-check";
import { toOpus, toFlac } from "@call-media/test-setup/sounds";
import { expect, test } from "vitest";
import { decodeSound } from "../src/decoders/decode.ts";
import { CannotMute, countSeconds, mute, type MuteSpan } from "../src/muting/mute.ts";
import { toWavHead } from "../src/containers/wav-head.ts";
import { type Coding, toAiff, toAu, toChunk, toRf64, toW64, toWav } from "./support/files.ts";
import { inspect } from "./support/inspect.ts";
import { interleave, speak } from "./support/speech.ts";

const SPEECH = speak({ seed: 11, seconds: 2 });
const SPANS = [
  { from: 0.5, to: 0.75 },
  { from: 1.200_01, to: 1.3 },
];

async function* inPieces(bytes: Uint8Array, length = Infinity): AsyncGenerator<Uint8Array> {
  // One buffer for all pieces, as files are read.
  const buffer = Buffer.alloc(Math.min(length, bytes.length));
  for (let at = 0; at < bytes.length; at += length) {
    const piece = bytes.subarray(at, at + length);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
  }
}

interface How {
  readonly filename?: string;
  readonly pieces?: number;
}

async function muted(bytes: Uint8Array, spans: readonly MuteSpan[], how: How = {}) {
  const { filename, pieces = 997 } = how;
  const open = () => inPieces(bytes, pieces);
  const { contentType, read, prove, ...named } = await mute(
    { open, announced: { filename } },
    spans,
  );
  const parts: Buffer[] = [];
  for await (const part of read()) parts.push(Buffer.from(part));
  const file = Buffer.concat(parts);
  return {
    contentType,
    file,
    spans: named.spans,
    prove: (other = file) => prove(() => inPieces(other, 1009)),
  };
}

const samplesOf = (bytes: Uint8Array, filename = "a.wav") =>
  decodeSound(bytes, { filename })?.samples ?? new Int16Array();

const isWithin = (second: number) =>
  SPANS.some(({ from, to }) => second > from - 1 / 8_000 && second < to);

test.each<[name: string, file: Buffer, silence: number, filename?: string]>([
  ...(["pcm8", "pcm16", "pcm24", "pcm32", "float32", "float64", "mulaw"] as const).map(
    (coding: Coding): [string, Buffer, number] => [coding, toWav(SPEECH, { coding }), 0],
  ),
  ["A-law, which has no zero", toWav(SPEECH, { coding: "alaw" }), 8],
  ["extensible", toWav(SPEECH, { isExtensible: true }), 0],
  ["RF64", toRf64(SPEECH), 0],
  ["W64", toW64(SPEECH), 0],
  ["without a length", toWav(SPEECH, { declared: 0 }), 0],
  ["AIFF", toAiff(SPEECH), 0, "a.aiff"],
  ["AU", toAu(SPEECH, { coding: "mulaw" }), 0, "a.au"],
  ["raw mu-law", toWav(SPEECH, { coding: "mulaw" }).subarray(44), 0, "a.ulaw"],
])(
  "%s: silence within the spans, all other samples equal",
  async (_, original, level, filename) => {
    const { contentType, file, prove } = await muted(original, SPANS, filename ? { filename } : {});
    await prove();
    expect(contentType).toBe("audio/wav");
    const [before, after] = [samplesOf(original, filename), samplesOf(file)];
    expect(after).toHaveLength(before.length);
    const isRight = (sample: number, at: number) =>
      isWithin(at / 8_000) ? Math.abs(sample) <= level : sample === before[at];
    expect([...after].findIndex((sample, at) => !isRight(sample, at))).toBe(-1);
    expect(inspect(file)).toMatchObject({ durationMs: 2_000, findings: [] });
  },
);

test("one channel is muted, and the other stays unchanged", async () => {
  const other = speak({ seed: 12, seconds: 2 });
  const { file, prove } = await muted(
    toWav(interleave(SPEECH, other), { channels: 2 }),
    SPANS.map((span) => ({ ...span, channel: 2 })),
  );
  await prove();
  const samples = samplesOf(file);
  expect(samples.filter((__, at) => at % 2 === 0)).toEqual(SPEECH);
  for (const [at, sample] of other.entries())
    expect(samples[2 * at + 1]).toBe(isWithin(at / 8_000) ? 0 : sample);
});

test("nothing of the original but format and samples: no notes, no bytes behind them", async () => {
  const notes = toChunk("LIST", Buffer.from("INFO4111 1111 1111 1111"));
  const cut = { before: [notes], behind: [notes] };
  const { file } = await muted(Buffer.concat([toWav(SPEECH, cut), Buffer.from("4111")]), SPANS);
  expect(file.includes("4111")).toBe(false);
  expect(file).toHaveLength(44 + 2 * SPEECH.length);
});

test("a file that ends early says how long it is", async () => {
  const cut = toWav(SPEECH).subarray(0, 44 + 2 * 12_000 + 1);
  const { file, prove } = await muted(cut, SPANS);
  await prove();
  expect(inspect(file)).toMatchObject({ durationMs: 1_500, findings: [] });
});

const SOUNDS = ["joint-crc.mp3", "vbr.mp3"] as const;
const readSound = (name: string) => readFile(join(import.meta.dirname, "sounds", name));

test.each(SOUNDS)("MP3 keeps its length and its frames: %s", async (name) => {
  const original = await readSound(name);
  const { contentType, file, prove } = await muted(original, SPANS);
  await prove();
  expect(contentType).toBe("audio/mpeg");
  expect(file).toHaveLength(original.length);
  expect(file.includes("secret")).toBe(false);
  expect(inspect(file)).toEqual(inspect(original));
  expect(file.equals(original)).toBe(false);
});

test("a muted file does not depend on how the original is cut, and muting it again changes nothing", async () => {
  const files = [toWav(SPEECH), ...(await Promise.all(SOUNDS.map(readSound)))];
  const anySpan = array(integer({ min: 0, max: 1_999 }), { minLength: 1, maxLength: 3 });
  await assert(
    asyncProperty(
      constantFrom(...files.keys()),
      anySpan,
      integer({ min: 1, max: 3_000 }),
      async (which, starts, pieces) => {
        const original = files[which] ?? Buffer.alloc(0);
        const spans = starts.map((ms) => ({ from: ms / 1000, to: (ms + 1) / 1000 }));
        const { file, prove } = await muted(original, spans);
        await prove();
        expect((await muted(original, spans, { pieces })).file.equals(file)).toBe(true);
        expect((await muted(file, spans)).file.equals(file)).toBe(true);
      },
    ),
    { numRuns: 30, seed: 49 },
  );
});

test("the proof finds one byte set back, a byte changed elsewhere, and bytes behind the end", async () => {
  for (const original of [toWav(SPEECH), ...(await Promise.all(SOUNDS.map(readSound)))]) {
    const { file, prove } = await muted(original, SPANS);
    const changed = [...file.keys()].filter((at) => file[at] !== original[at]);
    // Tags have no sound, and are not set back here.
    const inSound = changed.filter((at) => at > file.length / 8);
    expect(inSound.length).toBeGreaterThan(500);
    for (const at of [inSound[0], inSound[99], inSound.at(-1)]) {
      const back = Buffer.from(file);
      back[at ?? 0] = original[at ?? 0] ?? 0;
      await expect(prove(back)).rejects.toThrow(/differs/);
    }
    const other = Buffer.from(file);
    const last = other.length - 300;
    other[last] = (other[last] ?? 0) ^ 0x11;
    await expect(prove(other)).rejects.toThrow(CannotMute);
    await expect(prove(Buffer.concat([file, Buffer.from("1234")]))).rejects.toThrow(CannotMute);
    await expect(prove(file.subarray(0, -2))).rejects.toThrow(CannotMute);
  }
});

test.each<[name: string, file: () => Buffer, spans: readonly MuteSpan[], message: RegExp]>([
  ["Opus", () => toOpus(3), SPANS, /^Opus cannot be muted/],
  ["FLAC", () => toFlac(3), SPANS, /^FLAC cannot be muted/],
  ["a page", () => Buffer.from("<!doctype html><p>Sign in"), SPANS, /an unknown format/],
  ["nothing", () => Buffer.alloc(0), SPANS, /an unknown format/],
  ["no channels", () => toWav(SPEECH, { channels: 0 }), SPANS, /cannot be muted: .*0 channels/],
  ["milliseconds", () => toWav(SPEECH), [{ from: 500, to: 750 }], /begins behind .* 2 seconds/],
  ["backwards", () => toWav(SPEECH), [{ from: 1, to: 0.5 }], /1-0.5 s is not a span/],
  ["no time", () => toWav(SPEECH), [{ from: 1, to: NaN }], /is not a span/],
  ["channel 2 of 1", () => toWav(SPEECH), [{ from: 0, to: 1, channel: 2 }], /no channel 2/],
])("refused: %s", async (_, file, spans, message) => {
  await expect(muted(file(), spans)).rejects.toThrow(message);
});

test.each<[name: string, file: () => Promise<Buffer>]>([
  ["WAV", async () => toWav(SPEECH)],
  // Its last sample is not at a whole millisecond.
  ["WAV of an odd length", async () => toWav(SPEECH.subarray(0, 15_997))],
  ["MP3", () => readSound("joint-crc.mp3")],
])("%s: a span that ends behind it is silent to its end, and named with that", async (_, read) => {
  const original = await read();
  const { durationMs = 0 } = inspect(original);
  const { file, spans, prove } = await muted(original, [{ from: 0.5, to: 60, channel: undefined }]);
  await prove();
  expect(spans).toEqual([{ from: 0.5, to: Math.round(durationMs) / 1000 }]);
  // What a manifest names makes the same file again.
  expect((await muted(original, spans)).file.equals(file)).toBe(true);
});

test("the last sample of a file with an odd length is silent, too", async () => {
  const original = toWav(SPEECH.subarray(0, 15_997));
  const { file } = await muted(original, [{ from: 0.5, to: 1.9996 }]);
  const samples = samplesOf(file);
  expect(samples).toHaveLength(15_997);
  expect(samples.findLastIndex((sample) => sample !== 0)).toBeLessThan(4_000);
});

test("one channel of a stereo MP3 is refused", async () => {
  const original = await readSound("joint-crc.mp3");
  await expect(muted(original, [{ from: 0, to: 1, channel: 1 }])).rejects.toThrow(/leave the chan/);
});

test("seconds that are muted are counted once", () => {
  expect(
    countSeconds([
      { from: 2, to: 3.5 },
      { from: 0, to: 1 },
      { from: 3, to: 4 },
      { from: 3.1, to: 3.2, channel: 1 },
    ]),
  ).toBe(3);
});

test("above 2 GB the header is that of RF64", () => {
  const pcm = { codec: "pcm", channels: 2, rate: 8_000, sampleBytes: 2, blockBytes: 4 };
  const head = Buffer.from(toWavHead({ ...pcm, samplesPerBlock: 1 }, 2 ** 33));
  expect(head.toString("latin1", 0, 4)).toBe("RF64");
  expect(head).toHaveLength(80);
  expect(head.readBigUInt64LE(20)).toBe(2n ** 33n + 72n);
  expect(head.readBigUInt64LE(28)).toBe(2n ** 33n);
  expect(head.readBigUInt64LE(36)).toBe(2n ** 31n);
});
