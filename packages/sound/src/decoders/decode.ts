// Decodes formats that browsers cannot play to a WAV file that they can.
import { textAt } from "../bytes.ts";
import { type Announced, toRawFormat, walkRaw } from "../containers/raw.ts";
import { findSampledWalk } from "../containers/sampled.ts";
import { createFeed } from "../feed.ts";
import type { Format } from "../format.ts";
import { createGather } from "../meter/gather.ts";
import { decodeIma, decodeMs } from "./adpcm.ts";
import { decodeG722 } from "./g722.ts";
import { decodeGsm } from "./gsm.ts";
import { type Sound, toWav } from "./wav-file.ts";

export { type Sound, toWav } from "./wav-file.ts";

/** The decoded file, or the name of a codec without a decoder here. */
export type Decoded = { readonly wav: Blob } | { readonly codec: string };

export function decodeRecording(bytes: Uint8Array, announced: Announced): Decoded {
  const coded = readCoded(bytes, announced);
  const sound = coded && decode(coded);
  if (sound !== undefined) return { wav: toWav(sound) };
  const name = coded ? toName(coded.format) : nameStream(bytes);
  return { codec: name ?? announced.contentType ?? "" };
}

/** Undefined if there is none. */
export function decodeSound(bytes: Uint8Array, announced: Announced): Sound | undefined {
  const coded = readCoded(bytes, announced);
  return coded && decode(coded);
}

interface Coded {
  readonly format: Format;
  readonly data: Uint8Array;
}

/** The samples as stored in the file. */
function readCoded(bytes: Uint8Array, announced: Announced): Coded | undefined {
  let format: Format | undefined;
  let data = bytes.subarray(0, 0);
  const onFormat = (found: Format) => {
    format = found;
    // All bytes arrive in one piece, and so do the samples.
    return { push: (piece: Uint8Array) => (data = piece) };
  };
  const raw = toRawFormat(announced);
  const walk = findSampledWalk(bytes.subarray(0, 64), onFormat) ?? (raw && walkRaw(raw, onFormat));
  if (walk === undefined) return undefined;
  const feed = createFeed(walk);
  feed.push(bytes);
  feed.end();
  return format && { format, data };
}

function decode({ format, data }: Coded): Sound | undefined {
  const { codec, channels, rate, blockBytes } = format;
  if (channels === 0 || rate === 0 || blockBytes === 0) return undefined;
  const decoders: Readonly<Record<string, () => Int16Array | undefined>> = {
    gsm: () => decodeGsm(data, blockBytes === 65),
    g722: () => decodeG722(data),
    "ima-adpcm": () => (blockBytes > 4 * channels ? decodeIma(data, format) : undefined),
    "ms-adpcm": () => (blockBytes > 7 * channels ? decodeMs(data, format) : undefined),
  };
  const samples = (decoders[codec] ?? (() => gatherAll(format, data)))();
  return samples && { samples, channels, rate };
}

function gatherAll(format: Format, data: Uint8Array): Int16Array | undefined {
  const { sampleBytes } = format;
  const gather = createGather(format);
  if (gather === undefined) return undefined;
  const samples = new Int16Array(Math.floor(data.length / sampleBytes));
  gather(data, { at: 0, step: sampleBytes, count: samples.length }, samples);
  return samples;
}

const NAMES: Readonly<Record<string, string>> = {
  "g723.1": "G.723.1",
  g726: "G.726",
  g729: "G.729",
  wma: "WMA",
};

const toName = ({ codec }: Format): string =>
  NAMES[codec] ?? (codec.startsWith("0x") ? `WAV ${codec}` : codec);

function nameStream(bytes: Uint8Array): string | undefined {
  const start = textAt(bytes, 0, 64);
  if (start.startsWith("#!AMR")) return start.startsWith("#!AMR-WB") ? "AMR-WB" : "AMR";
  if (start.startsWith("OggS") && start.includes("Speex")) return "Speex";
  return bytes[0] === 0x30 && bytes[1] === 0x26 ? "WMA" : undefined;
}
