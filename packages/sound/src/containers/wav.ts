// WAV in its forms: RIFF, RF64 and BW64 (EBU Tech 3306, ITU-R BS.2088), Sony Wave64. Chunks may come in any order.
import { textAt, toView } from "../bytes.ts";
import { pass, peek, take, type Walk } from "../feed.ts";
import { type Format, isLinear, isOpenLength } from "../format.ts";
import type { Container, Walked } from "../walked.ts";
import { type Chunk, RIFF, W64, walkChunks } from "./chunks.ts";
import { type Samples, type ToReader, passSamples, passUnknown, toWalked } from "./samples.ts";

const MOST_FORMAT_BYTES = 64;
const RIFF_HEAD_BYTES = 12;
const W64_HEAD_BYTES = 40;

/** The codes of RFC 2361 that have a name here. */
const CODECS: Readonly<Record<number, string>> = {
  0x01: "pcm",
  0x02: "ms-adpcm",
  0x03: "float",
  0x06: "alaw",
  0x07: "mulaw",
  0x11: "ima-adpcm",
  0x14: "g723.1",
  0x31: "gsm",
  0x42: "g723.1",
  0x45: "g726",
  0x50: "mp2",
  0x55: "mp3",
  0x64: "g726",
  0x83: "g729",
  0x161: "wma",
};

const EXTENSIBLE = 0xff_fe;
const SAMPLES_OF_A_GSM_BLOCK = 320;

export const isWav = (head: Uint8Array): boolean =>
  ["RIFF", "RF64", "BW64"].includes(textAt(head, 0)) &&
  (head.length < RIFF_HEAD_BYTES || textAt(head, 8) === "WAVE");

export const isW64 = (head: Uint8Array): boolean =>
  textAt(head, 0) === "riff" && textAt(head, 24) === "wave";

export function* walkWav(head: Uint8Array, toReader: ToReader): Walk<Walked> {
  const isRiff = textAt(head, 0) === "RIFF";
  yield* pass(RIFF_HEAD_BYTES);
  return yield* walkWave({ container: isRiff ? "wav" : "rf64", layout: RIFF, toReader });
}

export function* walkW64(toReader: ToReader): Walk<Walked> {
  yield* pass(W64_HEAD_BYTES);
  return yield* walkWave({ container: "w64", layout: W64, toReader });
}

interface Wave {
  readonly container: Container;
  readonly layout: typeof RIFF;
  readonly toReader: ToReader;
}

function* walkWave({ container, layout, toReader }: Wave): Walk<Walked> {
  let wide: number | undefined;
  let format: Format | undefined;
  let samples: Omit<Samples, "format"> | undefined;

  function* onChunk({ name, length }: Chunk): Walk<number | undefined> {
    if (name === "data" && samples === undefined) {
      const is64 = container === "w64" || (container === "rf64" && wide !== undefined);
      const declared = yield* toDeclared(is64 ? (wide ?? length) : length, is64);
      samples = yield* format === undefined
        ? passUnknown(declared)
        : passSamples(format, declared, toReader);
      return samples.bytes;
    }
    if (name !== "fmt " && name !== "ds64") return undefined;
    const content = yield* take(Math.min(length, MOST_FORMAT_BYTES));
    if (name === "fmt ") format ??= toFormat(content);
    else if (content.length >= 16) wide = Number(toView(content).getBigUint64(8, true));
    return content.length;
  }

  const trailing = yield* walkChunks(layout, onChunk);
  if (format === undefined) return { container, fault: "its header is cut off" };
  const fault = findFault(format);
  const found = samples ?? { bytes: 0, declared: 0, measured: {} };
  return { ...toWalked(container, { ...found, format }, trailing), fault };
}

// A recording without any sound may have more chunks; after an unfinished header there is sound.
const NOT_SAMPLES = /^(?:LIST|id3 |ID3 |bext|cue |fact|iXML|_PMX|smpl|PEAK|levl|afsp)$/;

function* toDeclared(length: number, is64: boolean): Walk<number | undefined> {
  if (length === 0) return NOT_SAMPLES.test(textAt(yield* peek(4), 0)) ? 0 : undefined;
  return (is64 ? length >= 2 ** 62 : isOpenLength(length)) ? undefined : length;
}

function toFormat(content: Uint8Array): Format | undefined {
  if (content.length < 14) return undefined;
  const view = toView(content);
  const code = view.getUint16(0, true);
  const tag = code === EXTENSIBLE && content.length >= 26 ? view.getUint16(24, true) : code;
  const channels = view.getUint16(2, true);
  const bits = content.length >= 16 ? view.getUint16(14, true) : 0;
  const codec = CODECS[tag] ?? `0x${tag.toString(16)}`;
  const blockBytes = view.getUint16(12, true) || channels * Math.ceil(bits / 8);
  const sampleBytes = isLinear({ codec }) && channels > 0 ? blockBytes / channels : 0;
  return {
    codec,
    rate: view.getUint32(4, true),
    channels,
    sampleBytes,
    ...toBlocks(codec, blockBytes, view),
    isBigEndian: false,
    isUnsigned: sampleBytes === 1,
  };
}

/** For codecs whose header does not state the length of a block, the duration comes from the bytes per second. */
function toBlocks(codec: string, blockBytes: number, view: DataView) {
  if (isLinear({ codec })) return { blockBytes, samplesPerBlock: 1 };
  if (codec === "gsm") return { blockBytes, samplesPerBlock: SAMPLES_OF_A_GSM_BLOCK };
  const isAdpcm = codec === "ima-adpcm" || codec === "ms-adpcm";
  if (isAdpcm && view.byteLength >= 20)
    return { blockBytes, samplesPerBlock: view.getUint16(18, true) };
  const bytesPerSecond = view.getUint32(8, true);
  if (bytesPerSecond === 0) return { blockBytes, samplesPerBlock: 0 };
  return { blockBytes: 1, samplesPerBlock: view.getUint32(4, true) / bytesPerSecond };
}

function findFault({ codec, rate, channels, sampleBytes }: Format): string | undefined {
  if (channels === 0) return "its header declares 0 channels";
  if (rate === 0) return "its header declares 0 samples a second";
  if (isLinear({ codec }) && (!Number.isInteger(sampleBytes) || sampleBytes === 0))
    return "its header declares a length of samples that does not fit its channels";
  return undefined;
}
