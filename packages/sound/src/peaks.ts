// Measures the loudness of a recording, for its waveform, while its bytes pass. Reads samples of every linear coding.
import { findSampledWalk } from "./containers/sampled.ts";
import { createFeed, peek, type Walk } from "./feed.ts";
import type { Format } from "./format.ts";
import type { Gather } from "./meter/gather.ts";
import { createBoundedGather, inFrames } from "./meter/frames.ts";

/** Two hours of two channels take 1.15 MB. */
export const PEAKS_A_SECOND = 20;
const HEAD_BYTES = 64;
const FULL = 32_768;

export interface PeakReader {
  /** True once readable samples were found. */
  readonly isKnown: boolean;
  /** Returns false once it is known that there are none. */
  readonly read: (piece: Uint8Array) => boolean;
  /** For each channel, from 0 to 1. */
  peaks(): { readonly channels: Float32Array[]; readonly seconds: number };
}

export function createPeakReader(): PeakReader {
  let lanes: Lanes | undefined;
  let isOver = false;
  const onFormat = (format: Format) => {
    const gather = createBoundedGather(format);
    if (gather !== undefined) lanes = createLanes(format, gather);
    return lanes;
  };
  function* walk(): Walk<void> {
    const sampled = findSampledWalk(yield* peek(HEAD_BYTES), onFormat);
    if (sampled !== undefined) yield* sampled;
    isOver = true;
  }
  const feed = createFeed(walk());
  return {
    get isKnown() {
      return lanes !== undefined;
    },
    read(piece) {
      feed.push(piece);
      return lanes !== undefined || !isOver;
    },
    peaks: () => lanes?.peaks() ?? { channels: [], seconds: 0 },
  };
}

type Lanes = ReturnType<typeof createLanes>;

function createLanes({ channels, rate, sampleBytes, blockBytes }: Format, gather: Gather) {
  const lanes = Array.from({ length: channels }, (): number[] => []);
  const width = rate / PEAKS_A_SECOND;
  const samples = new Int16Array(Math.ceil(width) + 1);
  let frames = 0;
  const measure = (bytes: Uint8Array, at: number, count: number) => {
    const bin = Math.floor(frames / width);
    for (const [channel, lane] of lanes.entries()) {
      gather(bytes, { at: at + channel * sampleBytes, step: blockBytes, count }, samples);
      let loudest = lane[bin] ?? 0;
      for (let k = 0; k < count; k++) loudest = Math.max(loudest, Math.abs(samples[k] ?? 0));
      lane[bin] = loudest;
    }
    frames += count;
  };
  return {
    push: inFrames(blockBytes, (bytes, at, count) => {
      for (let done = 0; done < count;) {
        const end = Math.ceil((Math.floor(frames / width) + 1) * width);
        const some = Math.min(count - done, Math.max(1, end - frames));
        measure(bytes, at + done * blockBytes, some);
        done += some;
      }
    }),
    peaks: () => ({
      channels: lanes.map((lane) => Float32Array.from(lane, (peak) => peak / FULL)),
      seconds: frames / rate,
    }),
  };
}
