// Recognises the container of a recording by its first bytes, and walks it.
import { textAt } from "../bytes.ts";
import { pass, peek, type Walk } from "../feed.ts";
import type { Walked } from "../walked.ts";
import { isAmr, walkAmr } from "./amr.ts";
import { walkFlac } from "./flac.ts";
import { startsWithMp3, walkMp3 } from "./mp3.ts";
import { isMp4, walkMp4 } from "./mp4.ts";
import { walkOgg } from "./ogg.ts";
import { type Announced, toRawFormat, walkRaw } from "./raw.ts";
import { findSampledWalk } from "./sampled.ts";
import type { ToReader } from "./samples.ts";
import { passTag } from "./tags.ts";
import { isWebm, walkWebm } from "./webm.ts";

const HEAD_BYTES = 64;

/** `announced` counts only for bytes that do not reveal their format. */
export function* walkRecording(announced: Announced, toReader: ToReader): Walk<Walked> {
  const head = yield* peek(HEAD_BYTES);
  if (head.length === 0) return { container: "unknown", isEmpty: true };
  const walk = findSampledWalk(head, toReader) ?? findCodedWalk(head);
  if (walk !== undefined) return yield* walk;
  // A few samples may look like the start of a frame.
  const raw = toRawFormat(announced);
  return yield* raw === undefined ? walkFrames(announced) : walkRaw(raw, toReader);
}

function findCodedWalk(head: Uint8Array): Walk<Walked> | undefined {
  const start = textAt(head, 0);
  if (start === "OggS") return walkOgg();
  if (start === "fLaC") return walkFlac();
  if (isAmr(head)) return walkAmr();
  if (isMp4(head)) return walkMp4();
  return isWebm(head) ? walkWebm() : undefined;
}

/** Streams of frames have no file signature, but may have a tag before them. */
function* walkFrames(announced: Announced): Walk<Walked> {
  const hasTag = (yield* passTag()) > 0;
  if (textAt(yield* peek(4), 0) === "fLaC") return yield* walkFlac();
  const isMp3 = hasTag || isNamedMp3(announced) || (yield* startsWithMp3());
  const walked = isMp3 ? yield* walkMp3() : undefined;
  // A page or a text named .mp3 has no frame: it is not MP3.
  if (walked !== undefined && (hasTag || walked.rate !== undefined)) return walked;
  yield* pass(Infinity);
  return { container: "unknown" };
}

const isNamedMp3 = ({ contentType = "", filename = "" }: Announced): boolean =>
  /\.mp3$/i.test(filename) || /^audio\/(?:x-)?(?:mp3|mpeg)\b/i.test(contentType);
