// Samples without a header. Only a name or a media type identifies them.
import type { Walk } from "../feed.ts";
import { type Format } from "../format.ts";
import type { Walked } from "../walked.ts";
import { type ToReader, passSamples, toWalked } from "./samples.ts";

/** The source's description of a recording. */
export interface Announced {
  readonly contentType?: string | undefined;
  readonly filename?: string | undefined;
}

const LINEAR = {
  channels: 1,
  sampleBytes: 1,
  blockBytes: 1,
  samplesPerBlock: 1,
  isBigEndian: false,
  isUnsigned: false,
};

const MULAW: Format = { ...LINEAR, codec: "mulaw", rate: 8_000 };
const ALAW: Format = { ...LINEAR, codec: "alaw", rate: 8_000 };
/** "Signed linear" of Asterisk. */
const SLIN: Format = { ...LINEAR, codec: "pcm", rate: 8_000, sampleBytes: 2, blockBytes: 2 };
const G722: Format = { ...LINEAR, codec: "g722", rate: 16_000, sampleBytes: 0, samplesPerBlock: 2 };
const GSM: Format = {
  ...LINEAR,
  codec: "gsm",
  rate: 8_000,
  sampleBytes: 0,
  blockBytes: 33,
  samplesPerBlock: 160,
};

const KINDS: readonly (readonly [endings: RegExp, types: RegExp, format: Format])[] = [
  [/^gsm$/, /^audio\/(?:x-)?gsm\b/i, GSM],
  [/^g722$/, /^audio\/g722\b/i, G722],
  [/^(?:ul|ulaw|mu|mulaw|pcmu)$/, /^audio\/(?:basic|pcmu)\b/i, MULAW],
  [/^(?:al|alaw|pcma)$/, /^audio\/(?:pcma|x-alaw-basic)\b/i, ALAW],
  [/^(?:sln|slin)$/, /^audio\/x-sln\b/i, SLIN],
  [/^sln16$/, /^audio\/x-sln16\b/i, { ...SLIN, rate: 16_000 }],
];

/** The extension takes precedence over the type; undefined if neither stands for samples without a header. */
export function toRawFormat({ contentType = "", filename = "" }: Announced): Format | undefined {
  const ending = /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  const byName = KINDS.find(([endings]) => endings.test(ending));
  return (byName ?? KINDS.find(([, types]) => types.test(contentType)))?.[2];
}

export function* walkRaw(format: Format, toReader: ToReader): Walk<Walked> {
  const samples = yield* passSamples(format, undefined, toReader);
  return { ...toWalked("raw", samples, 0), isOpen: false };
}
