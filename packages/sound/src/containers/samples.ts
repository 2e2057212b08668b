// The samples of a container: their reader, and the result.
import { type Format, toDurationMs } from "../format.ts";
import type { Container, Walked } from "../walked.ts";
import { pass, type Sink, type Walk } from "../feed.ts";

export interface Samples {
  readonly format: Format;
  /** The number of bytes received. */
  readonly bytes: number;
  /** The number that the header declares; undefined if it leaves that open. */
  readonly declared: number | undefined;
  readonly measured: Pick<Walked, "levels" | "loudness">;
}

/** Reads the samples of one recording as they pass. */
export interface SampleReader {
  readonly push: Sink;
  readonly end?: () => Pick<Walked, "levels" | "loudness">;
}

/** Called before the first sample. */
export type ToReader = (format: Format) => SampleReader | undefined;

export function* passSamples(
  format: Format,
  declared: number | undefined,
  toReader: ToReader,
): Walk<Samples> {
  const reader = toReader(format);
  const bytes = yield* pass(declared ?? Infinity, reader?.push);
  const measured = bytes === 0 ? undefined : reader?.end?.();
  return { format, bytes, declared, measured: measured ?? {} };
}

/** Passes samples whose format is unknown so far. */
export function* passUnknown(declared: number | undefined): Walk<Omit<Samples, "format">> {
  const bytes = yield* pass(declared ?? Infinity);
  return { bytes, declared, measured: {} };
}

/** The facts about a container from its samples. */
export function toWalked(container: Container, samples: Samples, trailing: number): Walked {
  const { format, bytes, declared, measured } = samples;
  const { codec, rate, channels, blockBytes, samplesPerBlock } = format;
  const frames = blockBytes > 0 ? Math.floor(bytes / blockBytes) * samplesPerBlock : 0;
  const isKnown = samplesPerBlock > 0 && blockBytes > 0;
  return {
    container,
    codec,
    rate,
    channels,
    durationMs: isKnown ? toDurationMs(frames, rate) : undefined,
    isEmpty: bytes === 0,
    isOpen: declared === undefined,
    ...(declared !== undefined && bytes < declared && { isCut: true, share: bytes / declared }),
    trailing,
    bytesPerSecond: isKnown ? (rate * blockBytes) / samplesPerBlock : undefined,
    ...measured,
  };
}
