// Wideband telephony at 64 kbit/s (ITU-T G.722): two bands of ADPCM, combined to 16,000 samples a second.
import { clip } from "./wav-file.ts";

// The tables of the recommendation, in eighths of its scale.
const LOW_6 = [
  -17, -17, -17, -17, -3101, -2738, -2376, -2088, -1873, -1689, -1535, -1399, -1279, -1170, -1072,
  -982, -899, -822, -750, -682, -618, -558, -501, -447, -396, -347, -300, -254, -211, -170, -130,
  -91, 3101, 2738, 2376, 2088, 1873, 1689, 1535, 1399, 1279, 1170, 1072, 982, 899, 822, 750, 682,
  618, 558, 501, 447, 396, 347, 300, 254, 211, 170, 130, 91, 54, 17, -54, -17,
];
const LOW_4 = [
  0, -2557, -1612, -1121, -786, -530, -323, -150, 2557, 1612, 1121, 786, 530, 323, 150, 0,
];
const HIGH_2 = [-926, -202, 926, 202];
const LOW_STEPS = [
  -60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60,
];
const HIGH_STEPS = [798, -214];
const POWERS = Array.from({ length: 32 }, (_, index) => Math.trunc(2048 * 2 ** (index / 32) + 0.5));
const FILTER = [3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11];

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));
/** Clips to 15 bits. */
const clip15 = (value: number): number => Math.max(-0x40_00, Math.min(0x3f_ff, value));

interface Band {
  /** The prediction for the next sample. */
  readonly guess: () => number;
  /** The current size of a quantiser step. */
  readonly scale: () => number;
  readonly update: (difference: number, step: number) => void;
}

interface BandOptions {
  readonly scale: number;
  readonly mostFactor: number;
  readonly shift: number;
}

/** Section 6.2: two poles, six zeros, and a quantiser that adapts to its input. */
function createBand({ scale: first, mostFactor, shift }: BandOptions): Band {
  const differences = new Int32Array(6);
  const zeros = new Int32Array(6);
  let [pole1, pole2] = [0, 0];
  let [sign1, sign2] = [false, false];
  let [zeroPart, guess, rebuilt] = [0, 0, 0];
  let factor = 0;
  let scale = first;

  function adaptPoles(difference: number): void {
    const sign = zeroPart + difference < 0;
    const same1 = sign === sign1 ? -1 : 1;
    const same2 = sign === sign2 ? 1 : -1;
    [sign1, sign2] = [sign, sign1];
    pole2 = within(
      ((same1 * within(pole1, 8191)) >> 5) + same2 * 128 + ((pole2 * 127) >> 7),
      12288,
    );
    pole1 = within(-192 * same1 + ((pole1 * 255) >> 8), 15360 - pole2);
  }

  function adaptZeros(difference: number): void {
    zeroPart = 0;
    for (let index = 5; index >= 0; index--) {
      const known = differences[index] ?? 0;
      const step = difference === 0 ? 0 : (known ^ difference) < 0 ? -128 : 128;
      zeros[index] = (((zeros[index] ?? 0) * 255) >> 8) + step;
      differences[index] = index === 0 ? difference * 2 : (differences[index - 1] ?? 0);
      zeroPart += ((differences[index] ?? 0) * (zeros[index] ?? 0)) >> 15;
    }
  }

  return {
    guess: () => guess,
    scale: () => scale,
    update(difference, step) {
      adaptPoles(difference);
      adaptZeros(difference);
      const now = clip((guess + difference) * 2);
      guess = clip(zeroPart + ((pole1 * now) >> 15) + ((pole2 * rebuilt) >> 15));
      rebuilt = now;
      factor = Math.max(0, Math.min(mostFactor, ((factor * 127) >> 7) + step));
      const power = POWERS[((factor - (shift << 11)) >> 6) & 31] ?? 0;
      const places = (factor - (shift << 11)) >> 11;
      scale = places < 0 ? power >> -places : power << places;
    },
  };
}

export function decodeG722(bytes: Uint8Array): Int16Array {
  const low = createBand({ scale: 8, mostFactor: 18432, shift: 8 });
  const high = createBand({ scale: 2, mostFactor: 22528, shift: 10 });
  const samples = new Int16Array(bytes.length * 2);
  /** The last 24 sums and differences of the bands, oldest first. */
  const past = new Int32Array(24);
  for (const [index, byte] of bytes.entries()) {
    const [lowCode, highCode] = [byte & 63, byte >> 6];
    const lowSample = clip15(((low.scale() * (LOW_6[lowCode] ?? 0)) >> 10) + low.guess());
    low.update((low.scale() * (LOW_4[lowCode >> 2] ?? 0)) >> 10, LOW_STEPS[lowCode >> 2] ?? 0);
    const difference = (high.scale() * (HIGH_2[highCode] ?? 0)) >> 10;
    const highSample = clip15(difference + high.guess());
    high.update(difference, HIGH_STEPS[highCode & 1] ?? 0);
    past.copyWithin(0, 2);
    past[22] = lowSample + highSample;
    past[23] = lowSample - highSample;
    let [even, odd] = [0, 0];
    for (let tap = 0; tap < 12; tap++) {
      odd += (past[2 * tap] ?? 0) * (FILTER[tap] ?? 0);
      even += (past[2 * tap + 1] ?? 0) * (FILTER[11 - tap] ?? 0);
    }
    samples[2 * index] = clip(even >> 11);
    samples[2 * index + 1] = clip(odd >> 11);
  }
  return samples;
}
