// Frames of linear samples, one sample of each channel: which of them are read, and how they are assembled from pieces.
import type { Format } from "../format.ts";
import { createGather, type Gather } from "./gather.ts";

const MOST_CHANNELS = 32;
const RATES = { least: 1_000, most: 768_000 };

/** Undefined for samples that need a decoder, and for formats beyond all limits. */
export function createBoundedGather(format: Format): Gather | undefined {
  const { rate, channels, sampleBytes, blockBytes } = format;
  const isWithin =
    rate >= RATES.least && rate <= RATES.most && channels > 0 && channels <= MOST_CHANNELS;
  return isWithin && blockBytes === channels * sampleBytes ? createGather(format) : undefined;
}

/** Passes complete frames on, `count` of them from byte `at` on. A frame that is split between two pieces is assembled. */
export function inFrames(
  frameBytes: number,
  onFrames: (bytes: Uint8Array, at: number, count: number) => void,
): (piece: Uint8Array) => void {
  const edge = new Uint8Array(frameBytes);
  let edgeBytes = 0;
  return (piece) => {
    let at = 0;
    if (edgeBytes > 0) {
      at = Math.min(frameBytes - edgeBytes, piece.length);
      edge.set(piece.subarray(0, at), edgeBytes);
      edgeBytes += at;
      if (edgeBytes < frameBytes) return;
      onFrames(edge, 0, 1);
    }
    const count = Math.floor((piece.length - at) / frameBytes);
    if (count > 0) onFrames(piece, at, count);
    edge.set(piece.subarray(at + count * frameBytes));
    edgeBytes = piece.length - at - count * frameBytes;
  };
}
