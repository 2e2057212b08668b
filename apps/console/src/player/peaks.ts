// The level of a recording over time, one lane for each channel, and the spans without speech.
import { PEAKS_A_SECOND } from "@call-media/sound/peaks";

export { PEAKS_A_SECOND };

export interface Peaks {
  /** One for each channel; from 0 to 1. */
  readonly channels: readonly Float32Array[];
  readonly seconds: number;
}

/** Computes the peaks of samples from -1 to 1. */
export function toPeaks(channels: readonly Float32Array[], rate: number): Peaks {
  const length = channels[0]?.length ?? 0;
  const width = rate / PEAKS_A_SECOND;
  return {
    seconds: length / rate,
    channels: channels.map((samples) => {
      const peaks = new Float32Array(Math.ceil(length / width));
      for (const [index, sample] of samples.entries()) {
        const at = Math.floor(index / width);
        const loud = Math.abs(sample);
        if (loud > (peaks[at] ?? 0)) peaks[at] = loud;
      }
      return peaks;
    }),
  };
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

// -45 dB of full scale, for two seconds.
const QUIET = 10 ** (-45 / 20);
const LEAST_SECONDS = 2;

/** Spans in which every channel is quiet, in seconds. */
export function findSilences({ channels, seconds }: Peaks): Span[] {
  const spans: Span[] = [];
  const length = channels[0]?.length ?? 0;
  let start: number | undefined;
  for (let at = 0; at <= length; at++) {
    const isQuiet = at < length && channels.every((peaks) => (peaks[at] ?? 0) < QUIET);
    if (isQuiet) start ??= at;
    if (isQuiet || start === undefined) continue;
    const span = { from: start / PEAKS_A_SECOND, to: Math.min(seconds, at / PEAKS_A_SECOND) };
    if (span.to - span.from >= LEAST_SECONDS) spans.push(span);
    start = undefined;
  }
  return spans;
}

/** The level drawn at full height. It ignores the loudest clicks, so that speech is not drawn small. */
export function toLoudest({ channels }: Peaks): number {
  const all = channels
    .flatMap((peaks) => [...peaks].filter((peak) => peak > QUIET))
    .toSorted((one, other) => one - other);
  return all[Math.floor(all.length * 0.98)] ?? 1;
}

/** Finds the agent's channel by the loudness while each party speaks; undefined if that is not conclusive. */
export function guessAgent(
  { channels: [left, right] }: Peaks,
  lines: readonly { readonly isAgent: boolean; readonly from: number; readonly to: number }[],
): 0 | 1 | undefined {
  if (left === undefined || right === undefined) return undefined;
  let balance = 0;
  for (const { isAgent, from, to } of lines) {
    const [start, end] = [Math.floor(from * PEAKS_A_SECOND), Math.ceil(to * PEAKS_A_SECOND)];
    const sum = (peaks: Float32Array) =>
      peaks.subarray(start, end).reduce((all, one) => all + one, 0);
    balance += Math.sign(sum(left) - sum(right)) * (isAgent ? 1 : -1);
  }
  if (Math.abs(balance) < 2) return undefined;
  return balance > 0 ? 0 : 1;
}
