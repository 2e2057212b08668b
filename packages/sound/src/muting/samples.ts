// Mutes recordings with linear samples, into a WAV file without anything else. Other chunks hold names, numbers and waveforms,
// and bytes after the samples may be the very words.
import type { Announced } from "../containers/raw.ts";
import { walkRecording } from "../containers/recording.ts";
import { toWavHead } from "../containers/wav-head.ts";
import type { Format } from "../format.ts";
import { CannotMute, type MuteSpan, silence } from "./spans.ts";
import { type Bytes, countBytes, inStep, through } from "./streams.ts";

export interface SamplesPlan {
  readonly kind: "wav";
  readonly announced: Announced;
  readonly format: Format;
  /** The complete samples that are there; a header may promise more. */
  readonly bytes: number;
  readonly spans: readonly MuteSpan[];
}

const readSamples = (bytes: Bytes, announced: Announced) =>
  through<Uint8Array>(bytes, (emit) =>
    walkRecording(announced, () => ({ push: (piece) => emit(new Uint8Array(piece)) })),
  );

export async function* muteSamples(original: Bytes, plan: SamplesPlan): AsyncGenerator<Uint8Array> {
  const { announced, format, bytes } = plan;
  yield toWavHead(format, bytes);
  let position = 0;
  for await (const samples of readSamples(original, announced)) {
    const piece = samples.subarray(0, Math.max(0, bytes - position));
    silence(piece, position, plan);
    position += piece.length;
    yield piece;
  }
  if (bytes % 2 === 1) yield new Uint8Array(1);
}

/** @throws CannotMute if a sample is not as it should be, or if the file has anything else. */
export async function proveSamples(
  original: () => Bytes,
  written: () => Bytes,
  plan: SamplesPlan,
): Promise<void> {
  let position = 0;
  const masked = readSamples(written(), {});
  for await (const [one, other] of inStep(readSamples(original(), plan.announced), masked)) {
    const wanted = new Uint8Array(one.subarray(0, Math.max(0, plan.bytes - position)));
    silence(wanted, position, plan);
    if (other.length !== wanted.length || wanted.some((byte, at) => byte !== other[at]))
      throw new CannotMute(`the muted file differs from what it should be near byte ${position}`);
    position += wanted.length;
  }
  const whole = toWavHead(plan.format, plan.bytes).length + plan.bytes + (plan.bytes % 2);
  if (position !== plan.bytes || (await countBytes(written())) !== whole)
    throw new CannotMute("the muted file has another length than it should have");
}
