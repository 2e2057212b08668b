// How long a recording of each container is, and whether it is whole: by its own bytes, never by what a careless recorder declares.
import { toFlac, toM4a, toMp3, toOpus, toWave } from "@call-media/test-setup/sounds";
import { expect, test } from "vitest";
import type { SoundFacts } from "../src/index.ts";
import { toAiff, toAu, toChunk, toRf64, toW64, toWav } from "./support/files.ts";
import { inspect, kindsOf } from "./support/inspect.ts";
import { RATE, speak } from "./support/speech.ts";

const SPEECH = speak({ seed: 5, seconds: 2 });
const NOTES = toChunk("LIST", Buffer.from("INFOISFT\u0005\0\0\0odd.\0"));
const ODD = toChunk("junk", Buffer.from("abc"));

/** Moves the chunk of the format behind the samples. */
function toReversed(file: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, 12), file.subarray(36), file.subarray(12, 36)]);
}

test.each<[name: string, file: Buffer, facts: Partial<SoundFacts>]>([
  ["RIFF", toWav(SPEECH), { container: "wav", codec: "pcm" }],
  ["RF64", toRf64(SPEECH), { container: "rf64", codec: "pcm" }],
  ["BW64", Buffer.concat([Buffer.from("BW64"), toRf64(SPEECH).subarray(4)]), { container: "rf64" }],
  ["W64", toW64(SPEECH), { container: "w64", codec: "pcm" }],
  ["AIFF", toAiff(SPEECH), { container: "aiff", codec: "pcm" }],
  ["AIFF-C", toAiff(SPEECH, { coding: "alaw" }), { container: "aiff", codec: "alaw" }],
  ["AU", toAu(SPEECH), { container: "au", codec: "pcm" }],
  ["AU without a length", toAu(SPEECH, { declared: 0xff_ff_ff_ff }), { container: "au" }],
  ["LIST before the format", toWav(SPEECH, { before: [NOTES] }), {}],
  ["an odd chunk", toWav(SPEECH, { between: [ODD] }), {}],
  ["an odd chunk without its padding", toWav(SPEECH, { between: [ODD.subarray(0, 11)] }), {}],
  ["the format behind the samples", toReversed(toWav(SPEECH)), { codec: "pcm", rate: RATE }],
  ["GSM in a WAV file", toWave({ format: 0x31, seconds: 2 }), { codec: "gsm" }],
  ["FLAC", Buffer.concat([toFlac(2), Buffer.alloc(9)]), { codec: "flac", isDeclared: true }],
  ["M4A", toM4a(2), { container: "mp4", codec: "aac", channels: 1, isDeclared: true }],
  ["Ogg Opus", toOpus(2), { container: "ogg", codec: "opus", channels: 1 }],
])("%s of two seconds", (_name, file, facts) => {
  const found = inspect(file);
  expect(Math.abs((found.durationMs ?? 0) - 2_000)).toBeLessThanOrEqual(40);
  expect(found).toMatchObject(facts);
  expect(kindsOf(found)).not.toContain("malformed");
});

// RFC 3533, section 6.
function toOggPage(packets: readonly Buffer[], { flags = 0, granule = 0, sequence = 0 }): Buffer {
  const head = Buffer.alloc(27);
  head.write("OggS", "latin1");
  head[5] = flags;
  head.writeBigInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(7, 14);
  head.writeUInt32LE(sequence, 18);
  head[26] = packets.length;
  return Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets]);
}

const OPUS_HEAD = Buffer.concat([Buffer.from("OpusHead\u0001\u0002"), Buffer.alloc(9)]);
const OPUS_TAGS = Buffer.from("OpusTags\0\0\0\0\0\0\0\0");

/** A page a second, with packets of this length. */
function toOggOpus(seconds: number, packetBytes: number, left: readonly number[] = []): Buffer {
  const pages = Array.from({ length: seconds }, (_, at) =>
    toOggPage(
      Array.from({ length: 50 }, () => Buffer.alloc(packetBytes, 5)),
      {
        flags: at + 1 === seconds ? 4 : 0,
        granule: 48_000 * (at + 1),
        sequence: at + 2,
      },
    ),
  );
  return Buffer.concat([
    toOggPage([OPUS_HEAD], { flags: 2 }),
    toOggPage([OPUS_TAGS], { sequence: 1 }),
    ...pages.filter((_page, at) => !left.includes(at)),
  ]);
}

test("Ogg: the last page ends it, and the numbers of pages show what is missing", () => {
  const whole = toOggOpus(4, 40);
  expect(inspect(whole)).toMatchObject({ durationMs: 4_000, channels: 2, findings: [] });
  expect(kindsOf(inspect(whole.subarray(0, -30)))).toEqual(["truncated"]);
  expect(kindsOf(inspect(toOggOpus(4, 40, [3])))).toEqual(["truncated"]);
  expect(inspect(toOggOpus(4, 40, [1, 2])).findings).toEqual([
    { kind: "malformed", detail: "2 of its pages are missing" },
  ]);
  expect(kindsOf(inspect(toOggOpus(4, 3)))).toEqual(["silent"]);
  expect(kindsOf(inspect(whole.subarray(0, 28 + 19 + 28 + 16)))).toEqual([
    "truncated",
    "no-samples",
  ]);
  // A second stream behind the first.
  expect(inspect(Buffer.concat([whole, toOggOpus(2, 40)]))).toMatchObject({
    durationMs: 6_000,
    findings: [],
  });
});

/** MPEG-2 of 22.05 kHz and 64 kbit/s in one channel: 208 bytes a frame, 576 samples. */
function toFrame(soundBits: number): Buffer {
  const frame = Buffer.alloc(208);
  frame.set([0xff, 0xf3, 0x80, 0xc0]);
  // Behind main_data_begin and a private bit: part2_3_length.
  frame.writeUInt16BE(soundBits << 3, 5);
  return frame;
}

function toTagged(frames: number, declared = 208 * (frames + 1)): Buffer {
  const tag = toFrame(0);
  tag.write("Info", 4 + 9, "latin1");
  tag.writeUInt32BE(3, 4 + 9 + 4);
  tag.writeUInt32BE(frames, 4 + 9 + 8);
  tag.writeUInt32BE(declared, 4 + 9 + 12);
  return Buffer.concat([tag, ...Array.from({ length: frames }, () => toFrame(600))]);
}

test("MP3: the tag of the encoder shows whether all is there, frames how long it is", () => {
  const whole = toTagged(100);
  const durationMs = Math.round((100 * 576_000) / 22_050);
  expect(inspect(whole)).toMatchObject({ container: "mp3", durationMs, findings: [] });
  expect(inspect(whole.subarray(0, 208 * 51))).toMatchObject({
    durationMs: Math.round((50 * 576_000) / 22_050),
    findings: [{ kind: "truncated", percent: 50 }],
  });
  const name = Buffer.from("ID3\u0004\0\0\0\0\0\u0003abc");
  const old = Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125)]);
  expect(inspect(Buffer.concat([name, whole, old]))).toMatchObject({ durationMs, findings: [] });
  const bare = toMp3(100);
  expect(inspect(bare)).toMatchObject({ durationMs: 2_612, findings: [{ kind: "silent" }] });
  expect(kindsOf(inspect(bare.subarray(0, -9)))).toEqual(["truncated", "silent"]);
  const junk = Buffer.concat([whole, Buffer.alloc(70_000, 3), toFrame(600)]);
  expect(kindsOf(inspect(junk))).toEqual(["hidden-bytes"]);
  expect(kindsOf(inspect(name))).toEqual(["no-samples"]);
});

test("M4A: boxes that end early, and a recorder that never came back", () => {
  const whole = toM4a(2);
  expect(inspect(whole.subarray(0, 60)).findings).toMatchObject([{ kind: "truncated" }]);
  const end = whole.indexOf("moov") - 4;
  expect(inspect(whole.subarray(0, end)).findings).toEqual([
    { kind: "malformed", detail: "the box that lists its sound is missing" },
  ]);
});

const element = (id: string, content: Buffer, length = content.length): Buffer =>
  Buffer.concat([
    Buffer.from(id, "hex"),
    Buffer.from([0x40 | (length >> 8), length & 255]),
    content,
  ]);

function toWebm(length?: number, ms = 2_000): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(ms);
  const rate = Buffer.alloc(4);
  rate.writeFloatBE(48_000);
  const audio = element(
    "e1",
    Buffer.concat([element("b5", rate), element("9f", Buffer.from([2]))]),
  );
  const entry = element("ae", Buffer.concat([element("86", Buffer.from("A_OPUS")), audio]));
  const segment = Buffer.concat([
    element("1549a966", element("4489", duration)),
    element("1654ae6b", entry),
    element("1f43b675", Buffer.alloc(100)),
  ]);
  return Buffer.concat([
    element("1a45dfa3", element("4282", Buffer.from("webm"))),
    element("18538067", segment, length ?? segment.length),
  ]);
}

test("WebM: the segment ends with the file, or its length is open", () => {
  const facts = { container: "webm", codec: "opus", rate: 48_000, channels: 2, durationMs: 2_000 };
  expect(inspect(toWebm())).toMatchObject({ ...facts, isDeclared: true, findings: [] });
  expect(inspect(toWebm(0x3f_ff))).toMatchObject({ ...facts, findings: [] });
  expect(kindsOf(inspect(toWebm().subarray(0, -40)))).toEqual(["truncated"]);
});

test("WebM: a duration that no number can say is unknown", () => {
  const facts = inspect(toWebm(undefined, 1e305));
  expect(facts).toMatchObject({ container: "webm", codec: "opus", findings: [] });
  expect(facts).not.toHaveProperty("durationMs");
});

test("AMR: frames of 20 ms, each as long as its first byte says", () => {
  const frame = Buffer.concat([Buffer.from([0x3c]), Buffer.alloc(31)]);
  const file = Buffer.concat([Buffer.from("#!AMR\n"), ...Array.from({ length: 50 }, () => frame)]);
  expect(inspect(file)).toMatchObject({ codec: "amr", durationMs: 1_000, findings: [] });
  expect(kindsOf(inspect(file.subarray(0, -3)))).toEqual(["truncated"]);
  expect(kindsOf(inspect(file.subarray(0, 6)))).toEqual(["no-samples"]);
});

test.each<[filename: string, bytes: number, durationMs: number, codec: string]>([
  ["a.ulaw", 8_000, 1_000, "mulaw"],
  ["a.alaw", 8_000, 1_000, "alaw"],
  ["a.sln", 16_000, 1_000, "pcm"],
  ["a.sln16", 16_000, 500, "pcm"],
  ["a.g722", 8_000, 1_000, "g722"],
  ["a.gsm", 33 * 50, 1_000, "gsm"],
])("%s has no header: its name says what it is", (filename, bytes, durationMs, codec) => {
  const content = Buffer.from(Array.from({ length: bytes }, (_, at) => (at * at) % 251));
  expect(inspect(content, { filename })).toMatchObject({ durationMs, codec, assumed: codec });
});

test("GSM without a pulse is silent, and one that hardly has any has no speech", () => {
  const quiet = Buffer.alloc(33 * 200, 0);
  expect(kindsOf(inspect(quiet, { filename: "a.gsm" }))).toEqual(["silent"]);
  // The height of the first quarter begins at bit 51.
  for (let at = 0; at < quiet.length; at += 33) quiet[at + 6] = 0b0000_0001;
  expect(kindsOf(inspect(quiet, { filename: "a.gsm" }))).toEqual(["no-speech"]);
  quiet.fill(0xd5);
  expect(kindsOf(inspect(quiet, { filename: "a.gsm" }))).toEqual([]);
  // In a WAV file two frames share 65 bytes, and bits count from the lowest.
  const wave = toWave({ format: 0x31, seconds: 4 });
  const start = wave.indexOf("data") + 8;
  wave.fill(0, start);
  expect(kindsOf(inspect(wave))).toEqual(["silent"]);
  for (let at = start + 38; at < wave.length; at += 65) wave[at] = 0b0001_1000;
  expect(kindsOf(inspect(wave))).toEqual(["no-speech"]);
  for (let at = start + 38; at < wave.length; at += 65) wave[at] = 0b1111_1000;
  expect(kindsOf(inspect(wave))).toEqual([]);
});

test("other bytes are unknown, whatever they are named", () => {
  const page = Buffer.from("<!DOCTYPE html><html><body>401 Unauthorized</body></html>");
  for (const filename of ["a.wav", "a.mp3", "a.ogg"])
    expect(inspect(page, { filename })).toEqual({ version: 1, container: "unknown", findings: [] });
  expect(kindsOf(inspect(Buffer.alloc(0)))).toEqual(["no-samples"]);
});
