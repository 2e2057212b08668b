// GSM full rate, 13 kbit/s (ETSI EN 300 961, section 5.3): 160 samples for each 33 bytes, or for half of 65 in a WAV file.
import { clip } from "./wav-file.ts";

const FRAME = 160;
const RAW_BYTES = 33;
const WAV_BYTES = 65;

/** The product of two 16-bit numbers, rounded. */
const multiply = (one: number, other: number): number => clip((one * other + 0x40_00) >> 15);
const add = (one: number, other: number): number => clip(one + other);

// Tables 5.1, 5.2, 5.3 and 5.6 of the standard.
const REFLECTION_BITS = [6, 6, 5, 5, 4, 4, 3, 3];
const B = [0, 0, 2048, -2560, 94, -1792, -341, -1144];
const LEAST = [-32, -32, -16, -16, -8, -8, -4, -4];
const INVERSE_A = [13107, 13107, 13107, 13107, 19223, 17476, 31454, 29708];
const GAINS = [3277, 11469, 21299, 32767];
const MANTISSAS = [18431, 20479, 22527, 24575, 26623, 28671, 30719, 32767];

/** Reads numbers of some bits: in plain files most significant bit first, in WAV files least significant bit first. */
type Read = (bits: number) => number;

function createReader(bytes: Uint8Array, isLowFirst: boolean): Read {
  let at = 0;
  return (bits) => {
    let value = 0;
    for (let index = 0; index < bits; index++, at++) {
      const byte = bytes[at >> 3] ?? 0;
      if (isLowFirst) value |= ((byte >> (at & 7)) & 1) << index;
      else value = (value << 1) | ((byte >> (7 - (at & 7))) & 1);
    }
    return value;
  };
}

export function decodeGsm(bytes: Uint8Array, isWav: boolean): Int16Array {
  const size = isWav ? WAV_BYTES : RAW_BYTES;
  const blocks = Math.floor(bytes.length / size);
  const each = isWav ? 2 : 1;
  const samples = new Int16Array(blocks * each * FRAME);
  const decode = createDecoder();
  for (let block = 0; block < blocks; block++) {
    const read = createReader(bytes.subarray(block * size, (block + 1) * size), isWav);
    // In a plain file, each frame begins with a marker of four bits.
    if (!isWav) read(4);
    for (let frame = 0; frame < each; frame++)
      decode(
        read,
        samples.subarray((block * each + frame) * FRAME, (block * each + frame + 1) * FRAME),
      );
  }
  return samples;
}

function createDecoder(): (read: Read, out: Int16Array) => void {
  /** The last 120 residual samples, and the 40 in progress. */
  const residual = new Int16Array(160);
  const filter = new Int16Array(9);
  let areas: readonly number[] = Array.from({ length: 8 }, () => 0);
  let lag = 40;
  let emphasis = 0;

  function readResidual(read: Read, into: Int16Array): void {
    const lagCode = read(7);
    const gain = GAINS[read(2)] ?? 0;
    const grid = read(2);
    const pulses = readPulses(read);
    if (lagCode >= 40 && lagCode <= 120) lag = lagCode;
    residual.copyWithin(0, 40);
    for (let index = 0; index < 40; index++) {
      const pulse =
        index >= grid && (index - grid) % 3 === 0 ? (pulses[(index - grid) / 3] ?? 0) : 0;
      residual[120 + index] = add(pulse, multiply(gain, residual[120 + index - lag] ?? 0));
    }
    into.set(residual.subarray(120));
  }

  /** Section 5.3.4: the lattice filter with the reflection coefficients. */
  function synthesise(reflections: readonly number[], from: Int16Array, out: Int16Array): void {
    for (const [index, sample] of from.entries()) {
      let signal = sample;
      for (let order = 7; order >= 0; order--) {
        const reflection = reflections[order] ?? 0;
        const before = filter[order] ?? 0;
        signal = clip(signal - multiply(reflection, before));
        filter[order + 1] = add(before, multiply(reflection, signal));
      }
      filter[0] = signal;
      // Section 5.3.5: de-emphasis, doubled, without the three lowest bits.
      emphasis = add(signal, multiply(emphasis, 28180));
      out[index] = add(emphasis, emphasis) & ~7;
    }
  }

  return (read, out) => {
    const next = readAreas(read);
    const excitation = new Int16Array(FRAME);
    for (let quarter = 0; quarter < 4; quarter++)
      readResidual(read, excitation.subarray(quarter * 40, (quarter + 1) * 40));
    // Table 5.5: four steps from the areas of the frame before to the new ones.
    const last = areas;
    const mix = (weigh: (before: number, now: number) => number) =>
      next.map((now, index) => toReflection(weigh(last[index] ?? 0, now)));
    const steps = [
      [0, 13, mix((before, now) => add(add(before >> 2, now >> 2), before >> 1))],
      [13, 27, mix((before, now) => add(before >> 1, now >> 1))],
      [27, 40, mix((before, now) => add(add(before >> 2, now >> 2), now >> 1))],
      [40, FRAME, mix((_before, now) => now)],
    ] as const;
    for (const [from, to, reflections] of steps)
      synthesise(reflections, excitation.subarray(from, to), out.subarray(from, to));
    areas = next;
  };
}

/** Section 5.3.3: logarithms of the area ratios. */
function readAreas(read: Read): number[] {
  return REFLECTION_BITS.map((bits, index) => {
    const coded = (read(bits) + (LEAST[index] ?? 0)) << 10;
    const area = multiply(INVERSE_A[index] ?? 0, clip(coded - ((B[index] ?? 0) << 1)));
    return add(area, area);
  });
}

function toReflection(area: number): number {
  const size = area === -0x80_00 ? 0x7f_ff : Math.abs(area);
  const reflection = size < 11059 ? size << 1 : size < 20070 ? size + 11059 : add(size >> 2, 26112);
  return area < 0 ? -reflection : reflection;
}

/** Section 5.3.1: 13 pulses of three bits each, with a common height. */
function readPulses(read: Read): number[] {
  const code = read(6);
  let exponent = code > 15 ? (code >> 3) - 1 : 0;
  let mantissa = code - (exponent << 3);
  if (mantissa === 0) {
    exponent = -4;
    mantissa = 7;
  } else {
    for (; mantissa <= 7; exponent--) mantissa = (mantissa << 1) | 1;
    mantissa -= 8;
  }
  const height = MANTISSAS[mantissa] ?? 0;
  const shift = 6 - exponent;
  const half = shift === 0 ? 0 : 1 << (shift - 1);
  return Array.from(
    { length: 13 },
    () => add(multiply(height, ((read(3) << 1) - 7) << 12), half) >> shift,
  );
}
