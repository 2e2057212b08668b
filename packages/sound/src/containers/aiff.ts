// AIFF and AIFF-C of Apple. Chunks may come in any order.
import { textAt, toView } from "../bytes.ts";
import { pass, take, type Walk } from "../feed.ts";
import { type Format, isOpenLength } from "../format.ts";
import type { Walked } from "../walked.ts";
import { type Chunk, IFF, walkChunks } from "./chunks.ts";
import { type Samples, type ToReader, passSamples, passUnknown, toWalked } from "./samples.ts";

const CODECS: Readonly<Record<string, string>> = {
  none: "pcm",
  twos: "pcm",
  sowt: "pcm",
  "raw ": "pcm",
  ulaw: "mulaw",
  alaw: "alaw",
  fl32: "float",
  fl64: "float",
};

const MOST_FORMAT_BYTES = 64;

export const isAiff = (head: Uint8Array): boolean =>
  textAt(head, 0) === "FORM" && /^AIF[FC]$/.test(textAt(head, 8));

export function* walkAiff(toReader: ToReader): Walk<Walked> {
  let format: Format | undefined;
  let samples: Omit<Samples, "format"> | undefined;

  function* onChunk({ name, length }: Chunk): Walk<number | undefined> {
    if (name === "COMM" && format === undefined) {
      const content = yield* take(Math.min(length, MOST_FORMAT_BYTES));
      format = toFormat(content);
      return content.length;
    }
    if (name !== "SSND" || samples !== undefined) return undefined;
    // An offset, which is almost always 0, and a block size.
    const start = yield* take(8);
    const offset = start.length < 8 ? 0 : toView(start).getUint32(0);
    const skipped = start.length + (yield* pass(Math.min(offset, Math.max(0, length - 8))));
    const declared = isOpenLength(length) ? undefined : Math.max(0, length - skipped);
    samples = yield* format === undefined
      ? passUnknown(declared)
      : passSamples(format, declared, toReader);
    return skipped + samples.bytes;
  }

  yield* pass(12);
  const trailing = yield* walkChunks(IFF, onChunk);
  if (format === undefined) return { container: "aiff", fault: "its header is cut off" };
  const found = samples ?? { bytes: 0, declared: 0, measured: {} };
  const isWrong = format.channels === 0 || !(format.rate > 0);
  const fault = isWrong ? "its header declares no channels or no rate" : undefined;
  return { ...toWalked("aiff", { ...found, format }, trailing), fault };
}

function toFormat(content: Uint8Array): Format | undefined {
  if (content.length < 18) return undefined;
  const view = toView(content);
  const channels = view.getUint16(0);
  const type = content.length >= 22 ? textAt(content, 18) : "NONE";
  const codec = CODECS[type.toLowerCase()] ?? type.trim();
  const sampleBytes = codec.endsWith("law") ? 1 : Math.ceil(view.getUint16(6) / 8);
  return {
    codec,
    rate: toRate(view),
    channels,
    sampleBytes,
    blockBytes: sampleBytes * channels,
    samplesPerBlock: CODECS[type.toLowerCase()] === undefined ? 0 : 1,
    isBigEndian: type !== "sowt",
    isUnsigned: type === "raw ",
  };
}

/** An 80-bit floating-point number; for a rate, the upper 32 bits of its fraction suffice. */
function toRate(view: DataView): number {
  const exponent = view.getUint16(8) & 0x7f_ff;
  const rate = Math.round(view.getUint32(10) * 2 ** (exponent - 16_383 - 31));
  return rate < 2 ** 32 ? rate : 0;
}
