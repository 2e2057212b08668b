// Measures the loudness of a WAV file while reading it. PCM of 8 to 32 bits, floating point, A-law and mu-law (RFC
// 2361).
import { decodeAlaw, decodeMulaw } from "./g711.ts";

/** As the page's lanes have it. */
const PEAKS_A_SECOND = 20;
const HEAD_BYTES = 4096;

export interface WavReader {
  /** True for a WAV file that can be read. */
  readonly isKnown: boolean;
  /** False once it is known that it is none. */
  readonly read: (piece: Uint8Array) => boolean;
  peaks(): { readonly channels: Float32Array[]; readonly seconds: number };
}

interface Format {
  readonly channels: number;
  readonly rate: number;
  /** Bytes of one sample. */
  readonly width: number;
  /** A sample as a number from -1 to 1. */
  readonly toLevel: (view: DataView, at: number) => number;
  /** Where the samples begin. */
  readonly start: number;
}

export function createWavReader(): WavReader {
  let head: Uint8Array = new Uint8Array();
  let format: Format | undefined;
  let left: Uint8Array = new Uint8Array();
  let frames = 0;
  let lanes: number[][] = [];

  function take(bytes: Uint8Array, { channels, rate, width, toLevel }: Format): void {
    const frame = channels * width;
    const all = left.length === 0 ? bytes : concat(left, bytes);
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    const count = Math.floor(all.length / frame);
    for (let index = 0; index < count; index++, frames++) {
      const bin = Math.floor((frames * PEAKS_A_SECOND) / rate);
      for (let channel = 0; channel < channels; channel++) {
        const lane = lanes[channel] ?? [];
        const loud = Math.abs(toLevel(view, index * frame + channel * width));
        if (loud > (lane[bin] ?? -1)) lane[bin] = loud;
      }
    }
    left = all.slice(count * frame);
  }

  return {
    get isKnown() {
      return format !== undefined;
    },
    read(piece) {
      if (format !== undefined) {
        take(piece, format);
        return true;
      }
      head = concat(head, piece);
      format = parseWav(head);
      if (format === undefined) return head.length < HEAD_BYTES;
      lanes = Array.from({ length: format.channels }, () => []);
      take(head.subarray(format.start), format);
      head = new Uint8Array();
      return true;
    },
    peaks: () => ({
      channels: lanes.map((lane) => Float32Array.from(lane)),
      seconds: frames / (format?.rate ?? 1),
    }),
  };
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

const textAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));

/** Undefined where it is none, or its head is not all there. */
function parseWav(bytes: Uint8Array): Format | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 12 || textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WAVE")
    return undefined;
  let format: Omit<Format, "start"> | undefined;
  for (let at = 12; at + 8 <= view.byteLength;) {
    const [name, length] = [textAt(view, at), view.getUint32(at + 4, true)];
    if (name === "fmt " && at + 24 <= view.byteLength) format = parseFormat(view, at + 8);
    if (name === "data") return format && { ...format, start: at + 8 };
    at += 8 + length + (length % 2);
  }
  return undefined;
}

function parseFormat(view: DataView, at: number): Omit<Format, "start"> | undefined {
  const [tag, channels, rate] = [
    view.getUint16(at, true),
    view.getUint16(at + 2, true),
    view.getUint32(at + 4, true),
  ];
  const bits = view.getUint16(at + 14, true);
  // WAVE_FORMAT_EXTENSIBLE has the tag in its extension.
  const kind = tag === 0xff_fe && at + 26 <= view.byteLength ? view.getUint16(at + 24, true) : tag;
  const toLevel = LEVELS[`${kind}/${bits}`];
  if (toLevel === undefined || channels === 0 || rate === 0) return undefined;
  return { channels, rate, width: bits / 8, toLevel };
}

const LEVELS: Readonly<Record<string, Format["toLevel"]>> = {
  "1/8": (view, at) => (view.getUint8(at) - 128) / 128,
  "1/16": (view, at) => view.getInt16(at, true) / 2 ** 15,
  "1/24": (view, at) => view.getInt16(at + 1, true) / 2 ** 15,
  "1/32": (view, at) => view.getInt32(at, true) / 2 ** 31,
  "3/32": (view, at) => view.getFloat32(at, true),
  "6/8": (view, at) => decodeAlaw(view.getUint8(at)) / 2 ** 15,
  "7/8": (view, at) => decodeMulaw(view.getUint8(at)) / 2 ** 15,
};
