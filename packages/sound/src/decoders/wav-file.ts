// Decoded samples, and a WAV file of them that every browser plays.
import { toWavHead } from "../containers/wav-head.ts";

/** 16-bit samples; those of one instant are adjacent. */
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
