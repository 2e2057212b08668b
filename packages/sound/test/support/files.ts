// Files of every container whose samples lie open, made byte by byte.
import { decodeAlaw, decodeMulaw } from "../../src/g711.ts";
import { RATE } from "./speech.ts";

export type Coding =
  | "pcm8"
  | "pcm16"
  | "pcm24"
  | "pcm32"
  | "float32"
  | "float64"
  | "mulaw"
  | "alaw";

interface Code {
  readonly tag: number;
  readonly bytes: number;
  readonly write: (buffer: Buffer, at: number, sample: number, isBig: boolean) => void;
}

/** The nearest code. */
function createEncoder(decode: (code: number) => number): (sample: number) => number {
  const codes = Array.from({ length: 256 }, (_, code) => ({ code, level: decode(code) }));
  codes.sort((one, other) => one.level - other.level);
  const known = new Map<number, number>();
  return (sample) => {
    const found =
      known.get(sample) ??
      codes.reduce((best, one) =>
        Math.abs(one.level - sample) < Math.abs(best.level - sample) ? one : best,
      ).code;
    known.set(sample, found);
    return found;
  };
}

const toMulaw = createEncoder(decodeMulaw);
const toAlaw = createEncoder(decodeAlaw);

const CODES: Readonly<Record<Coding, Code>> = {
  pcm8: {
    tag: 1,
    bytes: 1,
    write: (to, at, sample, isBig) =>
      isBig ? to.writeInt8(sample >> 8, at) : to.writeUInt8((sample >> 8) + 128, at),
  },
  pcm16: {
    tag: 1,
    bytes: 2,
    write: (to, at, sample, isBig) =>
      isBig ? to.writeInt16BE(sample, at) : to.writeInt16LE(sample, at),
  },
  pcm24: {
    tag: 1,
    bytes: 3,
    write: (to, at, sample, isBig) =>
      isBig ? to.writeIntBE(sample * 256, at, 3) : to.writeIntLE(sample * 256, at, 3),
  },
  pcm32: {
    tag: 1,
    bytes: 4,
    write: (to, at, sample, isBig) =>
      isBig ? to.writeInt32BE(sample * 65_536, at) : to.writeInt32LE(sample * 65_536, at),
  },
  float32: {
    tag: 3,
    bytes: 4,
    write: (to, at, sample, isBig) =>
      isBig ? to.writeFloatBE(sample / 32_768, at) : to.writeFloatLE(sample / 32_768, at),
  },
  float64: {
    tag: 3,
    bytes: 8,
    write: (to, at, sample, isBig) =>
      isBig ? to.writeDoubleBE(sample / 32_768, at) : to.writeDoubleLE(sample / 32_768, at),
  },
  mulaw: { tag: 7, bytes: 1, write: (to, at, sample) => to.writeUInt8(toMulaw(sample), at) },
  alaw: { tag: 6, bytes: 1, write: (to, at, sample) => to.writeUInt8(toAlaw(sample), at) },
};

export function encode(samples: Int16Array, coding: Coding, isBig = false): Buffer {
  const { bytes, write } = CODES[coding];
  const content = Buffer.alloc(samples.length * bytes);
  for (const [at, sample] of samples.entries()) write(content, at * bytes, sample, isBig);
  return content;
}

export interface FileOptions {
  readonly coding?: Coding;
  readonly channels?: number;
  readonly rate?: number;
  readonly isExtensible?: boolean;
  /** Instead of the truth. */
  readonly declared?: number;
  /** Whole chunks. */
  readonly before?: readonly Buffer[];
  readonly between?: readonly Buffer[];
  readonly behind?: readonly Buffer[];
}

export function toChunk(name: string, content: Buffer, declared = content.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(declared, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

export function toFormatChunk(options: FileOptions = {}): Buffer {
  const { coding = "pcm16", channels = 1, rate = RATE, isExtensible = false } = options;
  const { tag, bytes } = CODES[coding];
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(isExtensible ? 0xff_fe : tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * channels * bytes, 8);
  format.writeUInt16LE(channels * bytes, 12);
  format.writeUInt16LE(8 * bytes, 14);
  if (isExtensible) {
    format.writeUInt16LE(22, 16);
    format.writeUInt16LE(8 * bytes, 18);
    Buffer.from("0000000000001000800000aa00389b71", "hex").copy(format, 24);
    format.writeUInt16LE(tag, 24);
  }
  return toChunk("fmt ", format);
}

const toRiff = (name: string, ...chunks: readonly Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from("WAVE"), ...chunks]);
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(name === "RIFF" ? body.length : 0xff_ff_ff_ff, 4);
  return Buffer.concat([head, body]);
};

export function toWav(samples: Int16Array, options: FileOptions = {}): Buffer {
  const { coding = "pcm16", before = [], between = [], behind = [], declared } = options;
  const data = toChunk("data", encode(samples, coding), declared);
  return toRiff("RIFF", ...before, toFormatChunk(options), ...between, data, ...behind);
}

export function toRf64(samples: Int16Array, options: FileOptions = {}): Buffer {
  const content = encode(samples, options.coding ?? "pcm16");
  const sizes = Buffer.alloc(28);
  sizes.writeBigUInt64LE(BigInt(options.declared ?? content.length), 8);
  const data = toChunk("data", content, 0xff_ff_ff_ff);
  return toRiff("RF64", toChunk("ds64", sizes), toFormatChunk(options), data);
}

export function toW64(samples: Int16Array, options: FileOptions = {}): Buffer {
  const toWide = (name: string, content: Buffer, declared = content.length + 24) => {
    const head = Buffer.alloc(24);
    head.write(name, "latin1");
    head.writeBigUInt64LE(BigInt(declared), 16);
    return Buffer.concat([head, content, Buffer.alloc((8 - (content.length % 8)) % 8)]);
  };
  const kind = Buffer.alloc(16);
  kind.write("wave", "latin1");
  const format = toFormatChunk(options).subarray(8);
  const data = encode(samples, options.coding ?? "pcm16");
  const declared = (options.declared ?? data.length) + 24;
  return Buffer.concat([
    toWide("riff", kind).subarray(0, 40),
    toWide("fmt ", format),
    toWide("data", data, declared),
  ]);
}

const AIFF_TYPES: Partial<Record<Coding, string>> = {
  float32: "fl32",
  float64: "fl64",
  mulaw: "ulaw",
  alaw: "alaw",
};

export function toAiff(samples: Int16Array, options: FileOptions = {}): Buffer {
  const { coding = "pcm16", channels = 1, rate = RATE } = options;
  const { bytes } = CODES[coding];
  const type = AIFF_TYPES[coding];
  const common = Buffer.alloc(type === undefined ? 18 : 24);
  common.writeUInt16BE(channels, 0);
  common.writeUInt32BE(samples.length / channels, 2);
  common.writeUInt16BE(8 * bytes, 6);
  const exponent = Math.floor(Math.log2(rate));
  common.writeUInt16BE(16_383 + exponent, 8);
  common.writeUInt32BE(rate * 2 ** (31 - exponent), 10);
  if (type !== undefined) common.write(type, 18, "latin1");
  const content = Buffer.concat([Buffer.alloc(8), encode(samples, coding, true)]);
  const swap = (chunk: Buffer) => {
    chunk.writeUInt32BE(chunk.readUInt32LE(4), 4);
    return chunk;
  };
  const body = Buffer.concat([
    Buffer.from(type === undefined ? "AIFF" : "AIFC"),
    swap(toChunk("COMM", common)),
    swap(toChunk("SSND", content)),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  return Buffer.concat([Buffer.from("FORM"), size, body]);
}

const AU_ENCODINGS: Readonly<Record<Coding, number>> = {
  mulaw: 1,
  pcm8: 2,
  pcm16: 3,
  pcm24: 4,
  pcm32: 5,
  float32: 6,
  float64: 7,
  alaw: 27,
};

export function toAu(samples: Int16Array, options: FileOptions = {}): Buffer {
  const { coding = "pcm16", channels = 1, rate = RATE, declared } = options;
  const content = encode(samples, coding, true);
  const head = Buffer.alloc(32);
  head.write(".snd", "latin1");
  for (const [at, number] of [
    32,
    declared ?? content.length,
    AU_ENCODINGS[coding],
    rate,
    channels,
  ].entries())
    head.writeUInt32BE(number, 4 + 4 * at);
  return Buffer.concat([head, content]);
}
