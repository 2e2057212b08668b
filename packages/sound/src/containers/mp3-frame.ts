// The header of an MP3 frame, and the facts about its sound in its side information (ISO/IEC 11172-3 and 13818-3).
import { bitsAt } from "../bytes.ts";

export interface Mp3Frame {
  readonly bytes: number;
  readonly samples: number;
  readonly rate: number;
  readonly channels: 1 | 2;
  readonly isVersion1: boolean;
  readonly hasCrc: boolean;
  /** The length of the side information. */
  readonly sideBytes: number;
}

const VERSION_1 = 3;
const VERSION_2 = 2;
const VERSION_2_5 = 0;

/** The rates of version 1 are divided by these. */
const DIVISORS: Readonly<Record<number, number>> = {
  [VERSION_1]: 1,
  [VERSION_2]: 2,
  [VERSION_2_5]: 4,
};
const RATES = [44_100, 48_000, 32_000];
const BIT_RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BIT_RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Undefined for bytes that do not begin a layer III frame; frames with a free bit rate have no length. */
export function readFrame(head: Uint8Array): Mp3Frame | undefined {
  const [sync = 0, kind = 0, rates = 0, mode = 0] = head;
  if (sync !== 0xff || (kind & 0xe6) !== 0xe2) return undefined;
  const version = (kind >> 3) & 3;
  const isVersion1 = version === VERSION_1;
  const divisor = DIVISORS[version];
  const fullRate = RATES[(rates >> 2) & 3];
  const kbits = (isVersion1 ? BIT_RATES_1 : BIT_RATES_2)[rates >> 4] ?? 0;
  if (divisor === undefined || fullRate === undefined || kbits === 0) return undefined;
  const rate = fullRate / divisor;
  const samples = isVersion1 ? 1_152 : 576;
  const isMono = mode >> 6 === 3;
  return {
    bytes: Math.floor(((samples / 8) * kbits * 1000) / rate) + ((rates >> 1) & 1),
    samples,
    rate,
    channels: isMono ? 1 : 2,
    isVersion1,
    hasCrc: (kind & 1) === 0,
    sideBytes: isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  };
}

/** The side information of a frame, whose bytes begin at its header. */
export interface SideInfo {
  /** The distance in bytes from the start of its sound to this frame (main_data_begin). */
  readonly begin: number;
  /** For each granule and channel, the position of its numbers, in bits, and its number of bits of sound. */
  readonly parts: readonly { readonly bit: number; readonly length: number }[];
}

export function readSideInfo(bytes: Uint8Array, frame: Mp3Frame): SideInfo {
  const { isVersion1, channels } = frame;
  const start = toSideStart(frame) * 8;
  // Private bits, and in version 1 the bits for shared scale factors.
  const privateBits = isVersion1 ? (channels === 1 ? 5 : 3) : channels;
  const beginBits = isVersion1 ? 9 : 8;
  const first = start + beginBits + privateBits + (isVersion1 ? 4 * channels : 0);
  const [granules, granuleBits] = isVersion1 ? [2, 59] : [1, 63];
  const parts = Array.from({ length: granules * channels }, (_, part) => {
    const bit = first + part * granuleBits;
    return { bit, length: bitsAt(bytes, bit, 12) };
  });
  return { begin: bitsAt(bytes, start, beginBits), parts };
}

/** In bytes: a checksum may come before it. */
export const toSideStart = ({ hasCrc }: Mp3Frame): number => 4 + (hasCrc ? 2 : 0);

/** True if the frame has no bits of sound. */
export const isStill = (bytes: Uint8Array, frame: Mp3Frame): boolean =>
  readSideInfo(bytes, frame).parts.every(({ length }) => length === 0);
