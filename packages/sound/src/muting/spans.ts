// Time spans to mute: checked against the recording, and converted to ranges of its samples.
import { isLinear, type Format } from "../format.ts";
import type { Walked } from "../walked.ts";

/** In seconds from the start of the recording. */
export interface MuteSpan {
  readonly from: number;
  readonly to: number;
  /** From 1; default: all. */
  readonly channel?: number | undefined;
}

/** The recording cannot be muted, or not this way. The message is a clause: "Opus cannot be muted: ...". */
export class CannotMute extends Error {
  override readonly name = "CannotMute";
}

/** The codec cannot be muted; after decoding to WAV it can. */
export class CannotMuteCodec extends CannotMute {}

/** Spans of a recording: the applied ones, and the named ones. */
export interface Fitted<Span extends MuteSpan> {
  /** One that reaches the end has none, as a duration may be rounded. */
  readonly applied: readonly MuteSpan[];
  /** The given spans, shortened to the recording. */
  readonly named: readonly Span[];
}

/**
 * A span may end behind the recording, as that of its last line does: it is muted to the end.
 *
 * @throws CannotMute for a span outside of the recording.
 */
export function fitSpans<Span extends MuteSpan>(
  spans: readonly Span[],
  walked: Walked,
): Fitted<Span> {
  checkSpans(spans, walked);
  const { durationMs = 0 } = walked;
  const isToEnd = ({ to }: MuteSpan) => to * 1000 > durationMs - 0.5;
  return {
    applied: spans.map((span) => (isToEnd(span) ? { ...span, to: Infinity } : span)),
    named: spans.map((span) => ({ ...span, to: Math.min(span.to, Math.round(durationMs) / 1000) })),
  };
}

function checkSpans(
  spans: readonly MuteSpan[],
  { durationMs = 0, channels = 0, codec }: Walked,
): void {
  for (const span of spans) {
    const { from, to, channel } = span;
    if (!(from >= 0 && from < to && to < Infinity))
      throw new CannotMute(`${toSpanText(span)} is not a span of time`);
    if (from * 1000 >= durationMs)
      throw new CannotMute(
        `${toSpanText(span)} begins behind the recording, which lasts ${durationMs / 1000} seconds`,
      );
    if (channel === undefined) continue;
    if (!Number.isInteger(channel) || channel < 1 || channel > channels)
      throw new CannotMute(`there is no channel ${channel}: the recording has ${channels}`);
    if (codec === "mp3" && channels > 1)
      throw new CannotMute(
        "one channel of MP3 cannot be muted alone: leave the channel out to mute both",
      );
  }
}

/** "3.2-5.75 s" */
export const toSpanText = ({ from, to }: Pick<MuteSpan, "from" | "to">): string =>
  `${from}-${to} s`;

/** The seconds that are muted in at least one channel. */
export function countSeconds(spans: readonly MuteSpan[]): number {
  let [seconds, end] = [0, 0];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    seconds += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return Math.round(seconds * 1000) / 1000;
}

/** Samples are rounded outwards, so that no part of a span is left. */
export function silence(
  bytes: Uint8Array,
  position: number,
  { format, spans }: { readonly format: Format; readonly spans: readonly MuteSpan[] },
): void {
  const { rate, blockBytes, sampleBytes } = format;
  const level = toSilence(format);
  for (const { from, to, channel } of spans) {
    const start = Math.max(0, Math.floor(from * rate) * blockBytes - position);
    const end = Math.min(bytes.length, Math.ceil(to * rate) * blockBytes - position);
    if (start >= end) continue;
    if (channel === undefined) bytes.fill(level, start, end);
    else
      for (let at = start; at < end; at++)
        if (Math.floor(((position + at) % blockBytes) / sampleBytes) === channel - 1)
          bytes[at] = level;
  }
}

const LEVELS: Readonly<Record<string, number>> = { mulaw: 0xff, alaw: 0xd5 };

/** The byte for silence. A-law has no zero; this is the nearest value. */
export const toSilence = ({ codec, isUnsigned }: Format): number =>
  LEVELS[codec] ?? (isUnsigned && codec === "pcm" ? 0x80 : 0);

/** True if samples of this kind are muted in place. */
export const isMutable = (format: Format): boolean =>
  isLinear(format) && !format.isBigEndian && format.rate > 0 && format.channels > 0;
