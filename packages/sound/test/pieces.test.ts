// Bytes in any pieces give the same facts, and no bytes at all make the inspector throw, hang or fill the memory.
import { toFlac, toM4a, toMp3, toOpus, toWave } from "@call-media/test-setup/sounds";
import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  nat,
  property,
  uint8Array,
} from "fast-check";
import { expect, test } from "vitest";
import { createInspector, type SoundFacts } from "../src/index.ts";
import { toAiff, toAu, toChunk, toRf64, toW64, toWav } from "./support/files.ts";
import { inspect } from "./support/inspect.ts";
import { interleave, speak, toNoise } from "./support/speech.ts";

const SPEECH = speak({ seed: 3, seconds: 0.6 });
const FILES: readonly (readonly [filename: string, content: Buffer])[] = [
  ["a.wav", toWav(SPEECH, { before: [toChunk("LIST", Buffer.from("odd"))] })],
  ["a.wav", toWav(interleave(SPEECH, SPEECH), { channels: 2, coding: "pcm24" })],
  ["a.wav", toWav(SPEECH, { coding: "float64", declared: 0 })],
  ["a.wav", toWav(new Int16Array(4_000), { isExtensible: true })],
  ["a.wav", toRf64(SPEECH)],
  ["a.w64", toW64(SPEECH, { coding: "mulaw" })],
  ["a.aiff", toAiff(SPEECH, { coding: "pcm32" })],
  ["a.au", toAu(SPEECH, { coding: "alaw" })],
  ["a.wav", toWave({ format: 0x31, seconds: 1 })],
  ["a.gsm", Buffer.from(toNoise({ seed: 9, seconds: 0.2, level: -20 }).buffer)],
  ["a.mp3", Buffer.concat([Buffer.from("ID3\u0004\0\0\0\0\0\u0003abc"), toMp3(9)])],
  ["a.opus", toOpus(3)],
  ["a.m4a", toM4a(1)],
  ["a.flac", toFlac(1)],
  ["a.amr", Buffer.from("#!AMR\n\u003c0123456789012345678901234567890")],
  ["a.webm", Buffer.from("1a45dfa3844282816d18538067ff1549a9668744898400000000", "hex")],
];

const anyFile = constantFrom(...FILES);
const anyLengths = array(integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 });
const OFTEN = { numRuns: 200, seed: 49 };

test("the facts do not depend on how the bytes are cut", () => {
  assert(
    property(anyFile, anyLengths, boolean(), ([filename, content], lengths, isCut) => {
      const bytes = isCut ? content.subarray(0, (lengths[0] ?? 1) * 3) : content;
      expect(inspect(bytes, { filename, lengths })).toEqual(inspect(bytes, { filename }));
    }),
    OFTEN,
  );
  for (const [filename, content] of FILES)
    expect(inspect(content, { filename, lengths: [1] })).toEqual(inspect(content, { filename }));
});

/** What anybody may rely on, whatever came. */
function expectSober(facts: SoundFacts): void {
  const { durationMs = 0, findings } = facts;
  expect(durationMs).toBeGreaterThanOrEqual(0);
  expect(Number.isFinite(durationMs)).toBe(true);
  for (const { percent = 0 } of findings) expect(percent >= 0 && percent <= 99).toBe(true);
  expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
  expect(JSON.stringify(facts).length).toBeLessThan(4_000);
}

const LIMITS = [0, 1, 7, 8, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_fe, 0xff_ff_ff_ff];

test("random bytes, real heads with random bytes behind them, and lengths at their limits", () => {
  assert(
    property(
      anyFile,
      nat(120),
      uint8Array({ maxLength: 3_000 }),
      constantFrom(...LIMITS),
      nat(100),
      ([filename, content], keep, random, limit, at) => {
        const bytes = Buffer.concat([content.subarray(0, keep), random]);
        if (bytes.length >= at + 4) bytes.writeUInt32LE(limit, at);
        expectSober(inspect(bytes, { filename }));
        const damaged = Buffer.from(content);
        if (damaged.length >= at + 4) damaged.writeUInt32BE(limit, at);
        expectSober(inspect(damaged, { filename, lengths: [500] }));
      },
    ),
    { ...OFTEN, numRuns: 1_500 },
  );
});

test("a file without end holds a byte for each tenth of a second, and for a day at most", () => {
  const inspector = createInspector({ filename: "a.wav" });
  const file = toWav(SPEECH, { rate: 1_000, declared: 0xff_ff_ff_ff });
  inspector.push(file);
  const piece = Buffer.alloc(2 * 10_000_000, "loud and long ");
  // 30 hours of 1,000 samples a second.
  for (let time = 0; time < 11; time++) inspector.push(piece);
  const facts = inspector.end();
  expect(facts.durationMs).toBeGreaterThan(30 * 3_600_000);
  expect(facts.longestSilenceMs).toBeLessThanOrEqual(24 * 3_600_000);
});
