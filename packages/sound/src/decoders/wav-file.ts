// Decoded samples, and the WAV file of them that every browser plays.
import { toWavHead } from "../containers/wav-head.ts";

/** Samples of 16 bits, those of one instant side by side. */
export interface Sound {
  readonly samples: Int16Array;
  readonly channels: number;
  readonly rate: number;
}

/** -32,768 to 32,767. */
export const clip = (value: number): number => Math.max(-0x80_00, Math.min(0x7f_ff, value));

export function toWav({ samples, channels, rate }: Sound): Blob {
  const format = { codec: "pcm", channels, rate, sampleBytes: 2, blockBytes: 2 * channels };
  const head = toWavHead({ ...format, samplesPerBlock: 1 }, samples.byteLength);
  return new Blob([head, Int16Array.from(samples)], { type: "audio/wav" });
}
