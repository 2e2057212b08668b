// Measures one channel: its level in each window of a tenth of a second, its peak, and whether it has any sound at all.
import { G711, type Gather, type Place } from "./gather.ts";

export const WINDOWS_A_SECOND = 10;

/** The level of a window whose examined samples are all equal. */
export const STILL = 255;
/** The lowest level of any other window, in dB below full scale. */
export const LOWEST = 96;

// The outermost step of mu-law.
const FULL = 32_124;
const FIRST_WINDOWS = 1_024;
// A day: later sound gets no levels, so that a file cannot fill the memory.
const MOST_WINDOWS = 24 * 60 * 60 * WINDOWS_A_SECOND;

export interface ChannelLevels {
  /** For each window 0 to 96 dB below full scale, or `STILL`. */
  readonly windows: Uint8Array;
  /** The largest examined sample, 0 to 32,768. */
  readonly peak: number;
  /** The share of windows with a sample at full scale, from 0 to 1. */
  readonly clipped: number;
  /** True if all samples are equal; each one was compared. */
  readonly isSilent: boolean;
}

export interface ChannelMeter {
  /** The samples read last. */
  readonly samples: Int16Array;
  /** Reads the samples of `place`, and adds them to the window. */
  add(bytes: Uint8Array, place: Place): void;
  /** Compares each sample with the first one until one differs. */
  readonly compare: (bytes: Uint8Array, place: Place) => void;
  closeWindow(): void;
  end(): ChannelLevels;
}

export interface ChannelOptions {
  readonly gather: Gather;
  readonly codec: string;
  readonly sampleBytes: number;
  /** The maximum number of samples read at a time. */
  readonly most: number;
}

export function createChannelMeter(options: ChannelOptions): ChannelMeter {
  const { gather, most } = options;
  const samples = new Int16Array(most);
  const constancy = createConstancy(options);
  const levels = createLevels();
  let [sum, energy, looked] = [0, 0, 0];
  let [low, high] = [32_767, -32_768];
  let [peak, clipped] = [0, 0];

  return {
    samples,
    add(bytes, place) {
      gather(bytes, place, samples);
      let [s, e, lo, hi] = [sum, energy, low, high];
      for (let k = 0; k < place.count; k++) {
        const sample = samples[k] ?? 0;
        s += sample;
        e += sample * sample;
        if (sample > hi) hi = sample;
        if (sample < lo) lo = sample;
      }
      [sum, energy, low, high] = [s, e, lo, hi];
      looked += place.count;
    },
    compare: constancy.compare,
    closeWindow() {
      peak = Math.max(peak, high, -low);
      if (high >= FULL || low <= -FULL) clipped++;
      levels.add(high > low ? toLevel(sum, energy, looked) : STILL);
      [sum, energy, looked, low, high] = [0, 0, 0, 32_767, -32_768];
    },
    end() {
      const windows = levels.toBytes();
      const isSilent = constancy.isConstant();
      return { windows, peak, clipped: clipped / Math.max(1, windows.length), isSilent };
    },
  };
}

/** In dB below full scale. A constant offset is not sound, so it is removed. */
function toLevel(sum: number, energy: number, count: number): number {
  const mean = sum / count;
  const rms = Math.sqrt(Math.max(1, energy / count - mean * mean));
  return Math.min(LOWEST, Math.max(0, Math.round(-20 * Math.log10(rms / 32_768))));
}

function createLevels() {
  let windows = new Uint8Array(FIRST_WINDOWS);
  let count = 0;
  return {
    add(level: number) {
      if (count === MOST_WINDOWS) return;
      if (count === windows.length) {
        const larger = new Uint8Array(2 * count);
        larger.set(windows);
        windows = larger;
      }
      windows[count++] = level;
    },
    toBytes: () => windows.subarray(0, count),
  };
}

/** Mu-law has two codes for 0, so its codes are compared by their values. */
function createConstancy({ codec, sampleBytes }: ChannelOptions) {
  const table = G711[codec];
  let first: Uint8Array | undefined;
  let isConstant = true;
  const areEqual = (one: number, other: number) =>
    one === other || (table !== undefined && table[one] === table[other]);
  const differs = (bytes: Uint8Array, { at, step, count }: Place, known: Uint8Array): boolean => {
    for (let k = 0; k < sampleBytes; k++) {
      const byte = known[k] ?? 0;
      for (let i = 0, from = at + k; i < count; i++, from += step)
        if (!areEqual(bytes[from] ?? 0, byte)) return true;
    }
    return false;
  };
  return {
    compare: (bytes: Uint8Array, place: Place) => {
      if (!isConstant) return;
      first ??= bytes.slice(place.at, place.at + sampleBytes);
      isConstant = !differs(bytes, place, first);
    },
    isConstant: () => isConstant,
  };
}
