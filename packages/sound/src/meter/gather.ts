// Reads samples of every linear coding as 16 bits.
import { toView } from "../bytes.ts";
import type { Format } from "../format.ts";
import { decodeAlaw, decodeMulaw } from "../g711.ts";

/** The position of samples in a piece: from byte `at` on, `step` bytes apart. */
export interface Place {
  readonly at: number;
  readonly step: number;
  readonly count: number;
}

/** Writes the samples into `to`. */
export type Gather = (bytes: Uint8Array, place: Place, to: Int16Array) => void;

const toTable = (decode: (code: number) => number) =>
  Int16Array.from({ length: 256 }, (_, code) => decode(code));

/** The value of each telephony code (ITU-T G.711). */
export const G711: Readonly<Record<string, Int16Array>> = {
  mulaw: toTable(decodeMulaw),
  alaw: toTable(decodeAlaw),
};

/** Undefined for unsupported samples. */
export function createGather(format: Format): Gather | undefined {
  const { codec, sampleBytes } = format;
  const table = G711[codec];
  if (table !== undefined) return sampleBytes === 1 ? gatherBy(table) : undefined;
  if (codec === "float") return [4, 8].includes(sampleBytes) ? gatherFloats(format) : undefined;
  if (codec !== "pcm") return undefined;
  if (sampleBytes === 1) return gatherBy(format.isUnsigned ? UNSIGNED : SIGNED);
  return [2, 3, 4].includes(sampleBytes) ? gatherIntegers(format) : undefined;
}

const UNSIGNED = Int16Array.from({ length: 256 }, (_, code) => (code - 128) << 8);
const SIGNED = Int16Array.from({ length: 256 }, (_, code) => code << 8);

const gatherBy =
  (table: Int16Array): Gather =>
  (bytes, { at, step, count }, to) => {
    for (let k = 0, from = at; k < count; k++, from += step) to[k] = table[bytes[from] ?? 0] ?? 0;
  };

/** The upper 16 bits. */
function gatherIntegers({ sampleBytes, isBigEndian }: Format): Gather {
  const [high, low] = isBigEndian ? [0, 1] : [sampleBytes - 1, sampleBytes - 2];
  return (bytes, { at, step, count }, to) => {
    for (let k = 0, from = at; k < count; k++, from += step)
      to[k] = ((bytes[from + high] ?? 0) << 8) | (bytes[from + low] ?? 0);
  };
}

// A level above full scale is clipped, and one that is not a number becomes 0.
const toInteger = (level: number): number =>
  Math.max(-32_768, Math.min(32_767, Math.trunc(32_768 * level))) || 0;

function gatherFloats({ sampleBytes, isBigEndian }: Format): Gather {
  const read = (view: DataView, at: number) =>
    sampleBytes === 8 ? view.getFloat64(at, !isBigEndian) : view.getFloat32(at, !isBigEndian);
  return (bytes, { at, step, count }, to) => {
    const view = toView(bytes);
    for (let k = 0, from = at; k < count; k++, from += step) to[k] = toInteger(read(view, from));
  };
}
