// FLAC (RFC 9639). Its frames are not walked: the length is the one that the header declares.
import { toView } from "../bytes.ts";
import { pass, take, type Walk } from "../feed.ts";
import { toDurationMs } from "../format.ts";
import type { Walked } from "../walked.ts";

const INFO_BYTES = 34;

export function* walkFlac(): Walk<Walked> {
  yield* pass(4);
  let info: ReturnType<typeof readInfo> | undefined;
  for (let isLast = false; !isLast;) {
    const head = yield* take(4);
    if (head.length < 4)
      return { container: "flac", codec: "flac", fault: "its header is cut off" };
    const word = toView(head).getUint32(0);
    isLast = word >= 2 ** 31;
    const length = word & 0xff_ff_ff;
    const isInfo = ((word >>> 24) & 127) === 0 && length >= INFO_BYTES;
    const content = isInfo ? yield* take(INFO_BYTES) : undefined;
    if (content?.length === INFO_BYTES) info ??= readInfo(content);
    yield* pass(length - (content?.length ?? 0));
  }
  const isEmpty = (yield* pass(Infinity)) === 0;
  return { container: "flac", codec: "flac", ...info, isDeclared: true, isEmpty };
}

/** 20 bits of rate, 3 of channels minus one, 5 of bits minus one, 36 of samples; 0 samples means unknown. */
function readInfo(content: Uint8Array) {
  const word = toView(content).getBigUint64(10);
  const rate = Number(word >> 44n);
  const samples = Number(word & 0xf_ff_ff_ff_ffn);
  return {
    rate,
    channels: Number((word >> 41n) & 7n) + 1,
    durationMs: samples === 0 ? undefined : toDurationMs(samples, rate),
  };
}
