// The wave of a recording: the loudest sample of each twentieth of a second and channel, in whatever pieces the bytes come.
import { expect, test } from "vitest";
import { createPeakReader } from "../src/peaks.ts";
import { type Coding, toAiff, toW64, toWav } from "./support/files.ts";
import { interleave, RATE } from "./support/speech.ts";

// One click in each channel: at 0.1 s the half of full scale, at 0.475 s a quarter.
const left = new Int16Array(RATE / 2).fill(16_384, 800, 801);
const right = new Int16Array(RATE / 2).fill(-8_192, 3_800, 3_801);
const clicks = interleave(left, right);

const measure = (file: Buffer, bytes: number) => {
  const reader = createPeakReader();
  for (let at = 0; at < file.length; at += bytes) reader.read(file.subarray(at, at + bytes));
  return reader.peaks();
};

test.each<Coding>(["pcm8", "pcm16", "pcm24", "pcm32", "float32", "mulaw", "alaw"])(
  "WAV of %s",
  (coding) => {
    const file = toWav(clicks, { coding, channels: 2 });
    const { channels, seconds } = measure(file, 1_000);
    expect(seconds).toBe(0.5);
    expect(channels.map(({ length }) => length)).toEqual([10, 10]);
    expect(channels[0]?.[2]).toBeCloseTo(0.5, 1);
    expect(channels[1]?.[9]).toBeCloseTo(0.25, 1);
    expect(channels[0]?.[3]).toBeCloseTo(0, 2);
    expect(measure(file, 7)).toEqual({ channels, seconds });
  },
);

test("W64 and AIFF as well; other bytes are known not to be samples", () => {
  expect(measure(toW64(clicks, { channels: 2 }), 999)).toEqual(
    measure(toAiff(clicks, { channels: 2 }), 500),
  );
  const reader = createPeakReader();
  expect(reader.read(Buffer.from("RIFF"))).toBe(true);
  expect(reader.isKnown).toBe(false);
  expect(createPeakReader().read(Buffer.alloc(100, "OggS"))).toBe(false);
  expect(createPeakReader().read(toWav(left).subarray(0, 20))).toBe(true);
});
