// Mutes MP3 without decoding it: the frames of a span lose their sound, which may be stored in the frames before. The length of the file
// and all other sound stay unchanged.
import { textAt } from "../bytes.ts";
import { toSideStart, type Mp3Frame, readSideInfo } from "../containers/mp3-frame.ts";
import { type Mp3Visitor, walkMp3 } from "../containers/mp3.ts";
import { type MuteSpan } from "./spans.ts";
import { type Bytes, through } from "./streams.ts";

export interface FramesPlan {
  readonly kind: "mp3";
  readonly spans: readonly MuteSpan[];
}

/** A frame, the encoder's tag, or bytes that are neither. */
export interface Mp3Unit {
  readonly kind: "frame" | "tag" | "other";
  readonly bytes: Uint8Array;
  readonly frame?: Mp3Frame;
}

/**
 * Bytes outside of frames may hold names, notes and pictures, so they become zeros. The headers of tags stay: without them, samples would
 * shift.
 */
export const readUnits = (bytes: Bytes): AsyncGenerator<Mp3Unit> =>
  through<Mp3Unit>(bytes, (emit) => {
    const visitor: Mp3Visitor = {
      onFrame: (content, frame) => emit({ kind: "frame", bytes: new Uint8Array(content), frame }),
      onTag: (content, frame) => emit({ kind: "tag", bytes: toBareTag(content, frame), frame }),
      onOther: (count, head) => emit({ kind: "other", bytes: toPadding(count, head) }),
    };
    return walkMp3(visitor);
  });

/** The tag of Xing and LAME (http://gabriel.mp3-tech.org/mp3infotag.html): flags, counts, a table, and the delay of the encoder. */
const TAG_BYTES = 156;

function toBareTag(content: Uint8Array, { sideBytes }: Mp3Frame): Uint8Array {
  // `slice` of a Node.js buffer would not make a copy.
  return new Uint8Array(content).fill(0, 4 + sideBytes + TAG_BYTES);
}

const ID3_FLAGS = 5;
const ID3_V1_MARK_BYTES = 3;

function toPadding(count: number, head?: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(count);
  const mark = head === undefined ? "" : textAt(head, 0, ID3_V1_MARK_BYTES);
  const kept = mark === "ID3" ? head : mark === "TAG" ? head?.subarray(0, ID3_V1_MARK_BYTES) : [];
  bytes.set((kept ?? []).slice(0, count));
  if (mark === "ID3") bytes[ID3_FLAGS] = 0;
  return bytes;
}

/** Sound overlaps into the next frame, and not every player skips the delay of the decoder, 1,105 samples. */
const [FRAMES_BEFORE, FRAMES_BEHIND] = [2, 3];

/** Makes a function that tells for each frame, in order, whether it is muted. */
export function createChoice({ spans }: FramesPlan): (frame: Mp3Frame) => boolean {
  let samples = 0;
  return ({ samples: own, rate }) => {
    const from = (samples - FRAMES_BEHIND * own) / rate;
    const to = (samples + FRAMES_BEFORE * own) / rate;
    samples += own;
    return spans.some((span) => span.from < to && span.to > from);
  };
}

/** The maximum distance that a frame may refer back: main_data_begin has nine bits. */
export const MOST_BACK = 511;

/** The position of a frame's sound within its bytes. */
export const toMainStart = (frame: Mp3Frame): number => toSideStart(frame) + frame.sideBytes;

export const toBytesOfBits = (bits: number): number => Math.ceil(bits / 8);

/**
 * part2_3_length, big_values, global_gain and scalefac_compress. If the last one stayed, a decoder would read scale factors that are
 * missing.
 */
const [NUMBER_BITS_1, NUMBER_BITS_2] = [33, 38];

interface Held {
  readonly bytes: Uint8Array;
  /** The start of its sound: among the sound bytes of all frames, and within its own bytes. */
  readonly main: number;
  readonly mainStart: number;
}

export async function* muteFrames(original: Bytes, plan: FramesPlan): AsyncGenerator<Uint8Array> {
  const isMuted = createChoice(plan);
  const held: Held[] = [];
  let total = 0;
  for await (const { kind, bytes, frame } of readUnits(original)) {
    const isFrame = kind === "frame" && frame !== undefined;
    const mainStart = isFrame ? toMainStart(frame) : bytes.length;
    held.push({ bytes, main: total, mainStart });
    if (isFrame && isMuted(frame)) clearFrame(held, frame, total);
    total += bytes.length - mainStart;
    while (held[1] !== undefined && held[1].main <= total - MOST_BACK)
      yield held.shift()?.bytes ?? new Uint8Array();
  }
  for (const { bytes } of held) yield bytes;
}

/** Clears the last held frame. `main`: the position of its own sound bytes. */
function clearFrame(held: readonly Held[], frame: Mp3Frame, main: number): void {
  const bytes = held.at(-1)?.bytes ?? new Uint8Array();
  const { begin, parts } = readSideInfo(bytes, frame);
  const bits = parts.reduce((sum, { length }) => sum + length, 0);
  for (const { bit } of parts)
    clearBits(bytes, bit, frame.isVersion1 ? NUMBER_BITS_1 : NUMBER_BITS_2);
  if (frame.hasCrc) writeCrc(bytes, frame);
  // The sound of each frame begins at a byte boundary, so frames share no byte.
  const [start, end] = [main - begin, main - begin + toBytesOfBits(bits)];
  for (const one of held) {
    const shift = one.mainStart - one.main;
    const from = Math.max(one.mainStart, start + shift);
    if (from < end + shift) one.bytes.fill(0, from, end + shift);
  }
}

function clearBits(bytes: Uint8Array, from: number, count: number): void {
  for (let bit = from; bit < from + count; bit++)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) & ~(0x80 >> (bit & 7));
}

const [CRC_START, CRC_POLYNOMIAL] = [0xff_ff, 0x80_05];

/** Covers the second half of the header and the side information (ISO/IEC 11172-3, 2.4.3.1). */
function writeCrc(bytes: Uint8Array, { sideBytes }: Mp3Frame): void {
  let crc = CRC_START;
  for (const byte of [...bytes.subarray(2, 4), ...bytes.subarray(6, 6 + sideBytes)])
    for (let bit = 7; bit >= 0; bit--) {
      const isSet = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) ^ (isSet === 1 ? CRC_POLYNOMIAL : 0)) & 0xff_ff;
    }
  bytes.set([crc >> 8, crc & 0xff], 4);
}
