// Measures linear samples as they pass: some forty for each tenth of a second and channel. The result does not depend on how the
// bytes are divided into pieces.
import type { Format } from "../format.ts";
import { type ChannelLevels, createChannelMeter, WINDOWS_A_SECOND } from "./channel.ts";
import { createBoundedGather, inFrames } from "./frames.ts";

// Enough to measure the level of a window within 1 dB.
const SAMPLES_OF_A_WINDOW = 40;
export interface Levels {
  readonly channels: readonly ChannelLevels[];
  /** True if the first two channels were equal in all compared samples. */
  readonly areSame: boolean;
}

export interface Meter {
  readonly push: (piece: Uint8Array) => void;
  end(): Levels;
}

/** Undefined if `createBoundedGather` is. */
export function createMeter(format: Format): Meter | undefined {
  const gather = createBoundedGather(format);
  if (gather === undefined) return undefined;
  const { rate, channels, sampleBytes, blockBytes } = format;
  const window = createWindow(rate);
  const most = Math.ceil(window.frames / window.stride) + 1;
  const meters = Array.from({ length: channels }, () =>
    createChannelMeter({ ...format, gather, most }),
  );
  const [left, right] = meters;
  let areSame = right !== undefined;
  let inWindow = 0;
  let closed = 0;

  const closeWindow = () => {
    for (const meter of meters) meter.closeWindow();
    inWindow = 0;
    closed++;
  };
  /** Measures `count` frames of one window, from byte `at` on. */
  const measure = (bytes: Uint8Array, at: number, count: number) => {
    // The stride counts from the first frame of the window, wherever pieces begin.
    const skip = (window.stride - (inWindow % window.stride)) % window.stride;
    const looked = skip >= count ? 0 : Math.ceil((count - skip) / window.stride);
    for (const [channel, meter] of meters.entries()) {
      const first = at + channel * sampleBytes;
      meter.compare(bytes, { at: first, step: blockBytes, count });
      const step = window.stride * blockBytes;
      meter.add(bytes, { at: first + skip * blockBytes, step, count: looked });
    }
    if (areSame && left !== undefined && right !== undefined)
      for (let k = 0; k < looked && areSame; k++) areSame = left.samples[k] === right.samples[k];
    inWindow += count;
    if (inWindow === window.frames) closeWindow();
  };

  return {
    push: inFrames(blockBytes, (bytes, at, count) => {
      for (let done = 0; done < count;) {
        const frames = Math.min(window.frames - inWindow, count - done);
        measure(bytes, at + done * blockBytes, frames);
        done += frames;
      }
    }),
    end() {
      if (inWindow >= window.frames / 2 || (closed === 0 && inWindow > 0)) closeWindow();
      const ended = meters.map((meter) => meter.end());
      return { channels: ended, areSame: areSame && closed > 0 };
    },
  };
}

function createWindow(rate: number) {
  const frames = Math.max(1, Math.round(rate / WINDOWS_A_SECOND));
  // Odd: otherwise a signalling tone whose period divides it would look constant.
  const stride = Math.max(1, Math.floor(frames / SAMPLES_OF_A_WINDOW) - 1) | 1;
  return { frames, stride };
}
