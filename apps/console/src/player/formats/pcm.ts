// Uncompressed samples in files that browsers do not know: .au of Sun, .aiff of Apple.
import { decodeAlaw, decodeMulaw } from "../../workers/g711.ts";
import { readChunks, type Sound, textAt, toView } from "./bytes.ts";

/** How samples of a file become 16 bits. */
interface Coding {
  readonly bytes: number;
  readonly toSample: (view: DataView, at: number) => number;
}

const MULAW: Coding = { bytes: 1, toSample: (view, at) => decodeMulaw(view.getUint8(at)) };
const ALAW: Coding = { bytes: 1, toSample: (view, at) => decodeAlaw(view.getUint8(at)) };
const SWAPPED: Coding = { bytes: 2, toSample: (view, at) => view.getInt16(at, true) };

/** Readers of the highest 16 bits of a sample. */
const BIG: Readonly<Record<number, Coding>> = {
  8: { bytes: 1, toSample: (view, at) => view.getInt8(at) << 8 },
  16: { bytes: 2, toSample: (view, at) => view.getInt16(at) },
  24: { bytes: 3, toSample: (view, at) => view.getInt16(at) },
  32: { bytes: 4, toSample: (view, at) => view.getInt16(at) },
};

const AU: Readonly<Record<number, Coding | undefined>> = {
  1: MULAW,
  2: BIG[8],
  3: BIG[16],
  4: BIG[24],
  5: BIG[32],
  27: ALAW,
};

function decode(bytes: Uint8Array, coding: Coding): Int16Array {
  const view = toView(bytes);
  const samples = new Int16Array(Math.floor(bytes.length / coding.bytes));
  for (let index = 0; index < samples.length; index++)
    samples[index] = coding.toSample(view, index * coding.bytes);
  return samples;
}

/** Without any head: one channel, 8,000 samples a second. */
export const decodeRawMulaw = (bytes: Uint8Array): Sound => ({
  samples: decode(bytes, MULAW),
  channels: 1,
  rate: 8000,
});

/** Undefined for what is coded in another way. */
export function decodeAu(bytes: Uint8Array): Sound | undefined {
  const view = toView(bytes);
  const [start, length, kind] = [view.getUint32(4), view.getUint32(8), view.getUint32(12)];
  const coding = AU[kind];
  if (coding === undefined) return undefined;
  // Some writers do not know the length when they write the head.
  const end = length === 0xff_ff_ff_ff ? bytes.length : start + length;
  return {
    samples: decode(bytes.subarray(start, end), coding),
    rate: view.getUint32(16),
    channels: view.getUint32(20),
  };
}

/** Undefined for what is coded in another way. */
export function decodeAiff(bytes: Uint8Array): Sound | undefined {
  const chunks = readChunks(bytes, false);
  const [common, data] = [chunks.get("COMM"), chunks.get("SSND")];
  if (common === undefined || data === undefined || common.length < 18) return undefined;
  const view = toView(common);
  const coding = toAiffCoding(common, view.getInt16(6));
  if (coding === undefined) return undefined;
  const offset = toView(data).getUint32(0);
  return {
    samples: decode(data.subarray(8 + offset), coding),
    channels: view.getInt16(0),
    rate: toRate(view),
  };
}

function toAiffCoding(common: Uint8Array, bits: number): Coding | undefined {
  const kind = common.length >= 22 ? textAt(common, 18).toLowerCase() : "none";
  if (kind === "ulaw") return MULAW;
  if (kind === "alaw") return ALAW;
  if (kind === "sowt") return bits === 16 ? SWAPPED : undefined;
  return kind === "none" || kind === "twos" ? BIG[bits] : undefined;
}

/** A number of 80 bits, of which a rate needs 32. */
function toRate(view: DataView): number {
  const exponent = view.getUint16(8) & 0x7f_ff;
  return Math.round(view.getUint32(10) * 2 ** (exponent - 16_383 - 31));
}
