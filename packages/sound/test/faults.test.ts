// Faults made from sound of four seconds, and harmless changes of it: every fault is found, and nothing else.
import { describe, expect, test } from "vitest";
import { type FileOptions, toAiff, toAu, toChunk, toRf64, toW64, toWav } from "./support/files.ts";
import { inspect } from "./support/inspect.ts";
import { add, concat, interleave, RATE, scale, shift, speak, toNoise } from "./support/speech.ts";

const SECONDS = 4;
const SEEDS = [11, 2_024];

const say = (seed: number) => speak({ seed, seconds: SECONDS });
const noise = (seed: number, level: number) => toNoise({ seed, seconds: SECONDS, level });
const zeros = (seconds = SECONDS) => new Int16Array(RATE * seconds);
const stereo = (left: Int16Array, right: Int16Array, options: FileOptions = {}) =>
  toWav(interleave(left, right), { ...options, channels: 2 });
const cut = (file: Buffer, share: number) => file.subarray(0, 44 + (file.length - 44) * share);
const click = () => zeros().fill(20_000, RATE, RATE + 12);

type Make = (seed: number) => Buffer;
type Finding = Readonly<Record<string, unknown>>;

const FAULTS: Readonly<Record<string, [make: Make, findings: readonly Finding[]]>> = {
  "cut at 10 %": [(s) => cut(toWav(say(s)), 0.1), [{ kind: "truncated", percent: 10 }]],
  "cut at 50 %": [(s) => cut(toWav(say(s)), 0.5), [{ kind: "truncated", percent: 50 }]],
  "cut at 90 %": [(s) => cut(toWav(say(s)), 0.9), [{ kind: "truncated", percent: 90 }]],
  "cut by a byte": [(s) => toWav(say(s)).subarray(0, -1), [{ kind: "truncated", percent: 99 }]],
  "a header alone": [
    (s) => toWav(say(s)).subarray(0, 44),
    [{ kind: "truncated", percent: 0 }, { kind: "no-samples" }],
  ],
  "a header without samples": [() => toWav(zeros(0)), [{ kind: "no-samples" }]],
  "a header without samples, and notes": [
    () => toWav(zeros(0), { behind: [toChunk("LIST", Buffer.from("INFOISFT"))] }),
    [{ kind: "no-samples" }],
  ],
  "cut inside of the header": [
    (s) => toWav(say(s)).subarray(0, 30),
    [{ kind: "malformed", detail: "its header is cut off" }],
  ],
  "0 channels": [
    (s) => toWav(say(s), { channels: 0 }),
    [{ kind: "malformed", detail: "its header declares 0 channels" }],
  ],
  zeros: [() => toWav(zeros()), [{ kind: "silent" }]],
  "constant 37": [() => toWav(zeros().fill(37)), [{ kind: "silent" }]],
  "zeros in mu-law": [() => toWav(zeros(), { coding: "mulaw" }), [{ kind: "silent" }]],
  "zeros in A-law": [() => toWav(zeros(), { coding: "alaw" }), [{ kind: "silent" }]],
  "the second channel silent": [
    (s) => stereo(say(s), zeros()),
    [{ kind: "channel-silent", channels: [2] }],
  ],
  "the first channel silent": [
    (s) => stereo(zeros(), say(s)),
    [{ kind: "channel-silent", channels: [1] }],
  ],
  "one channel noise at -60 dB": [
    (s) => stereo(say(s), noise(s, -60)),
    [{ kind: "channel-no-speech", channels: [2] }],
  ],
  "one channel noise at -45 dB": [
    (s) => stereo(say(s), noise(s, -45)),
    [{ kind: "channel-no-speech", channels: [2] }],
  ],
  "noise at -60 dB": [(s) => toWav(noise(s, -60)), [{ kind: "no-speech" }]],
  "noise at -30 dB": [(s) => toWav(noise(s, -30)), [{ kind: "no-speech" }]],
  "a click in zeros": [() => toWav(click()), [{ kind: "no-speech" }]],
  "a single sample in zeros": [
    () => toWav(zeros().fill(300, 31_333, 31_334)),
    [{ kind: "no-speech" }],
  ],
  "both channels equal": [(s) => stereo(say(s), say(s)), [{ kind: "channels-same" }]],
  "sound behind the declared samples": [
    (s) => toWav(say(s), { declared: 2 * 2.5 * RATE }),
    [{ kind: "hidden-bytes", bytes: 24_000 }],
  ],
  "length 0": [(s) => toWav(say(s), { declared: 0 }), [{ kind: "unfinished-header" }]],
  "length of all ones": [
    (s) => toWav(say(s), { declared: 0xff_ff_ff_ff }),
    [{ kind: "unfinished-header" }],
  ],
};

const LIST = toChunk("LIST", Buffer.from("INFOISFT\u0005\0\0\0odd.\0"));
const BEXT = toChunk("bext", Buffer.alloc(603, "b"));
const ID3 = toChunk("id3 ", Buffer.from("ID3\u0004\0\0\0\0\0\0"));
const GARBAGE = Buffer.from(Array.from({ length: 100 }, (_, at) => (at * 37) % 256));

const HARMLESS: Readonly<Record<string, Make>> = {
  "nothing changed": (s) => toWav(say(s)),
  "two speakers": (s) => stereo(say(s), say(s + 7)),
  "LIST before the format": (s) => toWav(say(s), { before: [LIST] }),
  "bext and odd junk before the samples": (s) =>
    toWav(say(s), { between: [BEXT, toChunk("junk", Buffer.alloc(7))] }),
  "LIST and id3 behind": (s) => toWav(say(s), { behind: [LIST, ID3] }),
  "100 bytes of garbage behind": (s) => Buffer.concat([toWav(say(s)), GARBAGE]),
  "2 seconds of zeros behind": (s) => toWav(concat(say(s), zeros(2))),
  "30 seconds of zeros before": (s) => toWav(concat(zeros(30), say(s))),
  "20 dB quieter": (s) => toWav(scale(say(s), -20)),
  "30 dB quieter": (s) => toWav(scale(say(s), -30)),
  "an offset of 3 %": (s) => toWav(shift(say(s), 983)),
  "noise 20 dB below": (s) => toWav(add(say(s), noise(s, -38))),
  "noise 12 dB below": (s) => toWav(add(say(s), noise(s, -30))),
  "noise 9 dB below": (s) => toWav(add(say(s), noise(s, -27))),
  RF64: (s) => toRf64(say(s)),
  W64: (s) => toW64(say(s)),
  "W64 of 8 bits": (s) => toW64(say(s), { coding: "pcm8" }),
  extensible: (s) => stereo(say(s), say(s + 7), { isExtensible: true }),
  "8 bits": (s) => toWav(say(s), { coding: "pcm8" }),
  "24 bits": (s) => toWav(say(s), { coding: "pcm24" }),
  "32 bits": (s) => toWav(say(s), { coding: "pcm32" }),
  float: (s) => toWav(say(s), { coding: "float32" }),
  "float of 64 bits": (s) => toWav(say(s), { coding: "float64" }),
  "mu-law": (s) => toWav(say(s), { coding: "mulaw" }),
  "A-law": (s) => toWav(say(s), { coding: "alaw" }),
  "16 kHz": (s) => toWav(speak({ seed: s, seconds: SECONDS, rate: 16_000 }), { rate: 16_000 }),
  AIFF: (s) => toAiff(say(s)),
  "AIFF of 24 bits": (s) => toAiff(say(s), { coding: "pcm24" }),
  "AIFF-C of mu-law": (s) => toAiff(say(s), { coding: "mulaw" }),
  "AIFF-C of float": (s) => toAiff(say(s), { coding: "float32" }),
  AU: (s) => toAu(say(s)),
  "AU of A-law": (s) => toAu(say(s), { coding: "alaw" }),
};

describe.each(SEEDS)("from seed %i", (seed) => {
  test.each(Object.entries(FAULTS))("%s", (_name, [make, findings]) => {
    expect(inspect(make(seed)).findings).toEqual(findings);
  });

  test.each(Object.entries(HARMLESS))("%s has no finding", (_name, make) => {
    const { findings, durationMs } = inspect(make(seed));
    expect(findings).toEqual([]);
    expect(durationMs).toBeGreaterThanOrEqual(1_000 * SECONDS);
  });
});

test("short sound gets no hint: a prompt may have no pause", () => {
  expect(inspect(toWav(toNoise({ seed: 1, seconds: 2.9, level: -30 }))).findings).toEqual([]);
});

test("17 seconds of zeros, and a file of which half is there", () => {
  expect(inspect(toWav(zeros(17)))).toMatchObject({
    durationMs: 17_000,
    rate: 8_000,
    codec: "pcm",
    findings: [{ kind: "silent" }],
  });
  expect(inspect(cut(toWav(say(1)), 0.5))).toMatchObject({ durationMs: 2_000 });
});

test("mu-law has two codes of nothing, and both are silence", () => {
  const codes = Buffer.from(Array.from({ length: 800 }, (_, at) => (at % 3 === 0 ? 0x7f : 0xff)));
  expect(inspect(codes, { filename: "a.ulaw" })).toMatchObject({
    assumed: "mulaw",
    findings: [{ kind: "silent" }],
  });
});

test("a few samples are not silence", () => {
  expect(inspect(toWav(zeros(1).subarray(0, 700))).findings).toEqual([]);
});

test("a step between two constants is heard", () => {
  expect(inspect(toWav(concat(zeros(1), zeros(1).fill(9)))).findings).toEqual([]);
});
