// The entry point of muting: the kind of a recording, whether it can be muted, the muted file, and its proof.
import type { Announced } from "../containers/raw.ts";
import { walkRecording } from "../containers/recording.ts";
import { decodeRecording } from "../decoders/decode.ts";
import { createFeed } from "../feed.ts";
import type { Format } from "../format.ts";
import type { Walked } from "../walked.ts";
import { type FramesPlan, muteFrames } from "./frames.ts";
import { proveFrames } from "./frames-proof.ts";
import { muteSamples, proveSamples, type SamplesPlan } from "./samples.ts";
import { CannotMute, CannotMuteCodec, fitSpans, isMutable, type MuteSpan } from "./spans.ts";
import type { Bytes } from "./streams.ts";

export { CannotMute, CannotMuteCodec, countSeconds, type MuteSpan, toSpanText } from "./spans.ts";
export type { Bytes } from "./streams.ts";

/** A recording that can be read several times, with the same bytes each time. */
export interface Original {
  readonly open: () => Bytes;
  /** Counts only for bytes without a header. */
  readonly announced: Announced;
}

export interface Muted<Span extends MuteSpan = MuteSpan> {
  /** The given spans, none longer than the recording. */
  readonly spans: readonly Span[];
  readonly contentType: "audio/wav" | "audio/mpeg";
  /** The muted file. The same original and spans yield the same bytes on any machine. */
  readonly read: () => AsyncGenerator<Uint8Array>;
  /**
   * Reads the written muted file: it must have silence within the spans, and every other sample as in the original.
   *
   * @throws CannotMute if that is not so.
   */
  readonly prove: (written: () => Bytes) => Promise<void>;
}

/** @throws CannotMuteCodec for a codec that cannot be muted; CannotMute for an unreadable file, or for a span outside of it. */
export async function mute<Span extends MuteSpan>(
  original: Original,
  spans: readonly Span[],
): Promise<Muted<Span>> {
  const { walked, format, bytes } = await survey(original);
  const { container, fault } = walked;
  if (fault !== undefined) throw new CannotMute(`the recording cannot be muted: ${fault}`);
  if (container === "mp3" && walked.rate !== undefined) {
    const { applied, named } = fitSpans(spans, walked);
    return { ...muteMp3(original, { kind: "mp3", spans: applied }), spans: named };
  }
  if (format !== undefined && isMutable(format)) {
    const { applied, named } = fitSpans(spans, walked);
    const { announced } = original;
    const whole = bytes - (bytes % format.blockBytes);
    const plan = { kind: "wav", announced, format, bytes: whole, spans: applied } as const;
    return { ...muteWav(original, plan), spans: named };
  }
  const decoded = await decode(original, format);
  if (decoded === undefined)
    throw new CannotMuteCodec(`${toCodecText(walked)} cannot be muted: ${ALL}`);
  return await mute(decoded, spans);
}

const ALL = "WAV, MP3, GSM, G.722 and ADPCM can";

type File = Omit<Muted, "spans">;

const muteMp3 = ({ open }: Original, plan: FramesPlan): File => ({
  contentType: "audio/mpeg",
  read: () => muteFrames(open(), plan),
  prove: (written) => proveFrames(open, written, plan),
});

const muteWav = ({ open }: Original, plan: SamplesPlan): File => ({
  contentType: "audio/wav",
  read: () => muteSamples(open(), plan),
  prove: (written) => proveSamples(open, written, plan),
});

interface Survey {
  readonly walked: Walked;
  /** The format of the samples; undefined for streams of frames. */
  readonly format: Format | undefined;
  readonly bytes: number;
}

async function survey({ open, announced }: Original): Promise<Survey> {
  let format: Format | undefined;
  let bytes = 0;
  const feed = createFeed(
    walkRecording(announced, (found) => {
      format = found;
      return { push: (piece) => (bytes += piece.length) };
    }),
  );
  for await (const piece of open()) feed.push(piece);
  return { walked: feed.end().result, format, bytes };
}

/** 16-bit samples can hold all of these. */
const DECODED: ReadonlySet<string> = new Set(["gsm", "g722", "ima-adpcm", "ms-adpcm"]);

const MOST_SAMPLE_BYTES = 2;

/** In memory, like the decoders. */
async function decode(
  { open, announced }: Original,
  format: Format | undefined,
): Promise<Original | undefined> {
  const isKnown =
    format !== undefined &&
    (DECODED.has(format.codec) || (format.isBigEndian && format.sampleBytes <= MOST_SAMPLE_BYTES));
  if (!isKnown) return undefined;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of open()) pieces.push(new Uint8Array(piece));
  const whole = new Uint8Array(await new Blob(pieces).arrayBuffer());
  const decoded = decodeRecording(whole, announced);
  if (!("wav" in decoded)) return undefined;
  const wav = new Uint8Array(await decoded.wav.arrayBuffer());
  return {
    async *open() {
      yield wav;
    },
    announced: {},
  };
}

const NAMES: Readonly<Record<string, string>> = { opus: "Opus", vorbis: "Vorbis", speex: "Speex" };

function toCodecText({ container, codec }: Walked): string {
  if (container === "unknown") return "an unknown format";
  const name = codec ?? container;
  return NAMES[name] ?? name.toUpperCase();
}
