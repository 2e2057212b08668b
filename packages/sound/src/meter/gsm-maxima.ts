// Measures the loudness of GSM full rate without decoding it. Each quarter of a frame has the height of its pulses (ETSI EN 300 961, table
// 1.1) in six bits that are almost a logarithm.
import { bitsAt } from "../bytes.ts";
import type { Loudness } from "../format.ts";
import { inFrames } from "./frames.ts";

const RAW_BYTES = 33;
const WAV_BYTES = 65;
// Speech that is 20 dB too quiet reaches 24, noise at -57 dBFS reaches 3.
const QUIET = 3;

const QUARTERS = [0, 1, 2, 3];
// The bits before the first height: the areas of the frame, then lag, gain and grid of the quarter. In a plain file, each frame begins with
// a marker of four bits.
const toRawBit = (quarter: number) => 4 + 36 + quarter * 56 + 11;
const RAW_BITS = QUARTERS.map(toRawBit);
const WAV_BITS = [0, 260].flatMap((frame) => RAW_BITS.map((bit) => frame + bit - 4));

/** `blockBytes` is 65 in a WAV file, where two frames share a block, and 33 in others; undefined for any other length. */
export function createGsmMeter(blockBytes: number) {
  if (blockBytes !== RAW_BYTES && blockBytes !== WAV_BYTES) return undefined;
  let highest = -1;
  const isWav = blockBytes === WAV_BYTES;
  const measure = (bytes: Uint8Array, at: number, count: number) => {
    for (let block = 0; block < count; block++) {
      const first = (at + block * blockBytes) * 8;
      for (const bit of isWav ? WAV_BITS : RAW_BITS) {
        const height = isWav ? lowBitsAt(bytes, first + bit) : bitsAt(bytes, first + bit, 6);
        if (height > highest) highest = height;
      }
    }
  };
  return {
    push: inFrames(blockBytes, measure),
    end: (): Loudness => ({ isSilent: highest === 0, isQuiet: highest >= 0 && highest <= QUIET }),
  };
}

/** In a WAV file the least significant bit comes first. */
const lowBitsAt = (bytes: Uint8Array, at: number): number =>
  (((bytes[at >> 3] ?? 0) | ((bytes[(at >> 3) + 1] ?? 0) << 8)) >> (at & 7)) & 63;
