// Reports what a recording holds while its bytes pass: recognises the container by its first bytes, walks it, and gives the facts.
import { textAt } from "./bytes.ts";
import { isAmr, walkAmr } from "./containers/amr.ts";
import { walkFlac } from "./containers/flac.ts";
import { startsWithMp3, walkMp3 } from "./containers/mp3.ts";
import { isMp4, walkMp4 } from "./containers/mp4.ts";
import { walkOgg } from "./containers/ogg.ts";
import { type Announced, toRawFormat, walkRaw } from "./containers/raw.ts";
import { findSampledWalk } from "./containers/sampled.ts";
import type { SampleReader } from "./containers/samples.ts";
import { passTag } from "./containers/tags.ts";
import { isWebm, walkWebm } from "./containers/webm.ts";
import { type SoundFacts, toFacts } from "./facts.ts";
import { createFeed, pass, peek, type Walk } from "./feed.ts";
import type { Format } from "./format.ts";
import type { Walked } from "./walked.ts";
import { createGsmMeter } from "./meter/gsm-maxima.ts";
import { createMeter } from "./meter/meter.ts";

export interface Inspector {
  /** Takes the bytes in their order; the outcome does not depend on how they are cut. Never throws. */
  readonly push: (piece: Uint8Array) => void;
  /** To be called once, after the last piece. Never throws. */
  end(): SoundFacts;
}

/**
 * `announced` counts only for bytes that do not show what they are. Holds some kilobytes, and a byte for each tenth of a second and
 * channel.
 */
export function createInspector(announced: Announced = {}): Inspector {
  const feed = createFeed(walkRecording(announced));
  return {
    push: feed.push,
    end: () => {
      const { result, rest } = feed.end();
      const assumed = result.container === "raw" ? result.codec : undefined;
      return toFacts({ ...result, trailing: (result.trailing ?? 0) + rest }, assumed);
    },
  };
}

const HEAD_BYTES = 64;

function* walkRecording(announced: Announced): Walk<Walked> {
  const head = yield* peek(HEAD_BYTES);
  if (head.length === 0) return { container: "unknown", isEmpty: true };
  const walk = findSampledWalk(head, toReader) ?? findCodedWalk(head);
  if (walk !== undefined) return yield* walk;
  // A few samples may look like the beginning of a frame.
  const raw = toRawFormat(announced);
  return yield* raw === undefined ? walkFrames(announced) : walkRaw(raw, toReader);
}

/** GSM is measured without decoding it; samples of other codecs in blocks are not looked at. */
function toReader(format: Format): SampleReader | undefined {
  if (format.codec === "gsm") {
    const meter = createGsmMeter(format.blockBytes);
    return meter && { push: meter.push, end: () => ({ loudness: meter.end() }) };
  }
  const meter = createMeter(format);
  return meter && { push: meter.push, end: () => ({ levels: meter.end() }) };
}

function findCodedWalk(head: Uint8Array): Walk<Walked> | undefined {
  const start = textAt(head, 0);
  if (start === "OggS") return walkOgg();
  if (start === "fLaC") return walkFlac();
  if (isAmr(head)) return walkAmr();
  if (isMp4(head)) return walkMp4();
  return isWebm(head) ? walkWebm() : undefined;
}

/** Streams of frames have no signature of a file, but may have a tag before them. */
function* walkFrames(announced: Announced): Walk<Walked> {
  const hasTag = (yield* passTag()) > 0;
  if (textAt(yield* peek(4), 0) === "fLaC") return yield* walkFlac();
  const isMp3 = hasTag || isNamedMp3(announced) || (yield* startsWithMp3());
  const walked = isMp3 ? yield* walkMp3() : undefined;
  // A page or a text that is named .mp3 has no frame: it is not MP3.
  if (walked !== undefined && (hasTag || walked.rate !== undefined)) return walked;
  yield* pass(Infinity);
  return { container: "unknown" };
}

const isNamedMp3 = ({ contentType = "", filename = "" }: Announced): boolean =>
  /\.mp3$/i.test(filename) || /^audio\/(?:x-)?(?:mp3|mpeg)\b/i.test(contentType);
