// .au of Sun and NeXT: a header of 24 bytes or more, then samples to the end.
import { textAt, toView } from "../bytes.ts";
import { pass, take, type Walk } from "../feed.ts";
import { type Format, isOpenLength } from "../format.ts";
import type { Walked } from "../walked.ts";
import { type ToReader, passSamples, toWalked } from "./samples.ts";

const HEAD_BYTES = 24;

const ENCODINGS: Readonly<Record<number, readonly [codec: string, sampleBytes: number]>> = {
  1: ["mulaw", 1],
  2: ["pcm", 1],
  3: ["pcm", 2],
  4: ["pcm", 3],
  5: ["pcm", 4],
  6: ["float", 4],
  7: ["float", 8],
  27: ["alaw", 1],
};

export const isAu = (head: Uint8Array): boolean => textAt(head, 0) === ".snd";

export function* walkAu(toReader: ToReader): Walk<Walked> {
  const head = yield* take(HEAD_BYTES);
  if (head.length < HEAD_BYTES) return { container: "au", fault: "its header is cut off" };
  const view = toView(head);
  const [start, length] = [view.getUint32(4), view.getUint32(8)];
  const format = toFormat(view);
  yield* pass(Math.max(0, start - HEAD_BYTES));
  const samples = yield* passSamples(format, isOpenLength(length) ? undefined : length, toReader);
  const trailing = yield* pass(Infinity);
  const isWrong = format.channels === 0 || format.rate === 0;
  const fault = isWrong ? "its header declares no channels or no rate" : undefined;
  return { ...toWalked("au", samples, trailing), fault };
}

function toFormat(view: DataView): Format {
  const [encoding, rate, channels] = [view.getUint32(12), view.getUint32(16), view.getUint32(20)];
  const [codec, sampleBytes] = ENCODINGS[encoding] ?? [`au ${encoding}`, 0];
  const blockBytes = sampleBytes * channels;
  return {
    codec,
    rate,
    channels,
    sampleBytes,
    blockBytes,
    samplesPerBlock: sampleBytes === 0 ? 0 : 1,
    isBigEndian: true,
    isUnsigned: false,
  };
}
