// Sound that behaves like a call: syllables with pauses between them over the noise of a line. The same seed gives the same samples.

export const RATE = 8_000;

/** Numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const toGain = (decibels: number) => 32_768 * 10 ** (decibels / 20);

export interface Speech {
  readonly seed: number;
  readonly seconds: number;
  readonly rate?: number;
  /** The level of the syllables, in dB of full scale. */
  readonly level?: number;
  readonly noise?: number;
}

/** Syllables of two tenths of a second, words of some of them, and pauses of up to a second. */
export function speak({ seed, seconds, rate = RATE, level = -18, noise = -62 }: Speech) {
  const random = createRandom(seed);
  const samples = toNoise({ seed: seed + 1, seconds, rate, level: noise });
  for (let at = Math.round(0.1 * rate); at < samples.length;) {
    const length = Math.round(rate * (0.12 + 0.15 * random()));
    const pitch = 110 + 120 * random();
    const gain = toGain(level) * (0.6 + 0.8 * random());
    for (let k = 0; k < length && at + k < samples.length; k++) {
      const phase = (2 * Math.PI * pitch * k) / rate;
      const shape = Math.sin((Math.PI * k) / length);
      const voice = Math.sin(phase) + 0.5 * Math.sin(3 * phase) + 0.3 * Math.sin(7 * phase);
      samples[at + k] = clip((samples[at + k] ?? 0) + gain * shape * voice);
    }
    at += length + Math.round(rate * (random() < 0.3 ? 0.3 + 0.7 * random() : 0.03));
  }
  return samples;
}

export function toNoise({ seed, seconds, rate = RATE, level = -60 }: Speech): Int16Array {
  const random = createRandom(seed);
  // Evenly spread numbers have a level of their range less 4.8 dB.
  const range = toGain(level) * Math.sqrt(3);
  return Int16Array.from({ length: Math.round(seconds * rate) }, () =>
    clip(range * (2 * random() - 1)),
  );
}

const clip = (level: number) => Math.max(-32_768, Math.min(32_767, Math.round(level)));

export const scale = (samples: Int16Array, decibels: number): Int16Array =>
  samples.map((sample) => Math.round(sample * 10 ** (decibels / 20)));

export const shift = (samples: Int16Array, offset: number): Int16Array =>
  samples.map((sample) => clip(sample + offset));

export const add = (one: Int16Array, other: Int16Array): Int16Array =>
  one.map((sample, at) => clip(sample + (other[at] ?? 0)));

export function concat(...parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Several channels side by side. */
export const interleave = (...channels: readonly Int16Array[]): Int16Array =>
  Int16Array.from(
    { length: channels.length * (channels[0]?.length ?? 0) },
    (_, at) => channels[at % channels.length]?.[Math.floor(at / channels.length)] ?? 0,
  );
