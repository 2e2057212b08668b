// The header of a WAV file that this package writes; RF64 if the length exceeds the fields of WAV (EBU Tech 3306).
import { type Format, isOpenLength } from "../format.ts";

const CODES: Readonly<Record<string, number>> = { pcm: 1, float: 3, alaw: 6, mulaw: 7 };
const UNKNOWN = 0xff_ff_ff_ff;
const FORMAT_BYTES = 16;
const SIZES_BYTES = 28;

const text = (letters: string): readonly number[] =>
  Array.from(letters, (letter) => letter.charCodeAt(0));

/** Lowest byte first. */
const number = (value: number, bytes: number): readonly number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256);

/** `bytes`: of the samples. */
export function toWavHead(
  format: Omit<Format, "isBigEndian" | "isUnsigned">,
  bytes: number,
): Uint8Array<ArrayBuffer> {
  const { codec, channels, rate, sampleBytes, blockBytes } = format;
  const rest = 4 + 8 + FORMAT_BYTES + 8 + bytes + (bytes % 2);
  const isWide = bytes > 0 && isOpenLength(rest);
  const wideRest = rest + 8 + SIZES_BYTES;
  const sizes = [wideRest, bytes, bytes / blockBytes].flatMap((size) => number(size, 8));
  return Uint8Array.from([
    ...text(isWide ? "RF64" : "RIFF"),
    ...number(isWide ? UNKNOWN : rest, 4),
    ...text("WAVE"),
    ...(isWide ? [...text("ds64"), ...number(SIZES_BYTES, 4), ...sizes, ...number(0, 4)] : []),
    ...text("fmt "),
    ...number(FORMAT_BYTES, 4),
    ...number(CODES[codec] ?? 0, 2),
    ...number(channels, 2),
    ...number(rate, 4),
    ...number(rate * blockBytes, 4),
    ...number(blockBytes, 2),
    ...number(8 * sampleBytes, 2),
    ...text("data"),
    ...number(isWide ? UNKNOWN : bytes, 4),
  ]);
}
