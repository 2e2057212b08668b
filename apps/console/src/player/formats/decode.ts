// Decodes formats that browsers do not play to a WAV file that they do. The format is known by the bytes, as far as
// they show it.
import { decodeIma, decodeMs } from "./adpcm.ts";
import { readChunks, type Sound, textAt, toView, toWav } from "./bytes.ts";
import { decodeG722 } from "./g722.ts";
import { decodeGsm } from "./gsm.ts";
import { decodeAiff, decodeAu, decodeRawMulaw } from "./pcm.ts";

/** The decoded file, or the name of the codec without a decoder here. */
export type Decoded = { readonly wav: Blob } | { readonly codec: string };

export interface Announced {
  readonly contentType: string;
  readonly filename: string | undefined;
}

export function decodeRecording(bytes: Uint8Array, announced: Announced): Decoded {
  const sound = decodeSound(bytes, announced);
  if (sound !== undefined) return { wav: toWav(sound) };
  return { codec: nameCodec(bytes) ?? announced.contentType };
}

/** Undefined without a decoder for it. */
export function decodeSound(bytes: Uint8Array, announced: Announced): Sound | undefined {
  const start = textAt(bytes, 0);
  if (start === "RIFF" && textAt(bytes, 8) === "WAVE") return decodeWav(bytes);
  if (start === ".snd") return decodeAu(bytes);
  if (start === "FORM" && /^AIF[FC]$/.test(textAt(bytes, 8))) return decodeAiff(bytes);
  return decodeHeadless(bytes, announced);
}

const GSM = 0x31;
const IMA = 0x11;
const MS = 0x02;

function decodeWav(bytes: Uint8Array): Sound | undefined {
  const format = readFormat(bytes);
  if (format === undefined) return undefined;
  const { tag, channels, rate, data } = format;
  const decoders: Readonly<Record<number, () => Int16Array>> = {
    [GSM]: () => decodeGsm(data, true),
    [IMA]: () => decodeIma(data, format),
    [MS]: () => decodeMs(data, format),
  };
  const samples = decoders[tag]?.();
  return samples === undefined ? undefined : { samples, channels, rate };
}

function readFormat(bytes: Uint8Array) {
  const chunks = readChunks(bytes, true);
  const [head, data] = [chunks.get("fmt "), chunks.get("data")];
  if (head === undefined || data === undefined || head.length < 16) return undefined;
  const view = toView(head);
  const [tag, channels] = [view.getUint16(0, true), view.getUint16(2, true)];
  const blockBytes = view.getUint16(12, true);
  if (channels === 0 || blockBytes === 0) return undefined;
  return { tag, channels, rate: view.getUint32(4, true), blockBytes, data };
}

/** Formats without a header: the file name or the media type names them. */
function decodeHeadless(
  bytes: Uint8Array,
  { contentType, filename = "" }: Announced,
): Sound | undefined {
  const ending = filename.split(".").pop()?.toLowerCase() ?? "";
  const is = (endings: RegExp, types: RegExp) => endings.test(ending) || types.test(contentType);
  if (is(/^gsm$/, /audio\/(x-)?gsm/i))
    return { samples: decodeGsm(bytes, false), channels: 1, rate: 8000 };
  if (is(/^g722$/, /audio\/g722/i))
    return { samples: decodeG722(bytes), channels: 1, rate: 16_000 };
  if (is(/^(ul|ulaw|pcmu|mulaw)$/, /audio\/(basic|pcmu)/i)) return decodeRawMulaw(bytes);
  return undefined;
}

const WAV_CODECS: Readonly<Record<number, string>> = {
  0x14: "G.723.1",
  0x42: "G.723.1",
  0x45: "G.726",
  0x64: "G.726",
  0x83: "G.729",
  0x161: "WMA",
};

function nameCodec(bytes: Uint8Array): string | undefined {
  const start = textAt(bytes, 0, 64);
  if (start.startsWith("#!AMR")) return start.startsWith("#!AMR-WB") ? "AMR-WB" : "AMR";
  if (start.startsWith("OggS") && start.includes("Speex")) return "Speex";
  if (bytes[0] === 0x30 && bytes[1] === 0x26) return "WMA";
  if (!start.startsWith("RIFF")) return undefined;
  const tag = readFormat(bytes)?.tag;
  if (tag === undefined) return undefined;
  return WAV_CODECS[tag] ?? `WAV 0x${tag.toString(16)}`;
}
