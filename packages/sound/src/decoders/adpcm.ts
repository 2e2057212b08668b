// Two kinds of ADPCM in WAV files, four bits a sample: IMA (also DVI), and Microsoft's (RFC 2361, appendix A).
import { toView } from "../bytes.ts";
import { clip } from "./wav-file.ts";

export interface Blocks {
  readonly channels: number;
  readonly blockBytes: number;
}

const IMA_INDEXES = [-1, -1, -1, -1, 2, 4, 6, 8];
const MOST_INDEX = 88;

/** Each step is a tenth larger than the one before: from 7 to 32,767. */
const IMA_STEPS = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73,
  80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494,
  544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499,
  2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487,
  12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
];

export function decodeIma(bytes: Uint8Array, { channels, blockBytes }: Blocks): Int16Array {
  const head = 4 * channels;
  const each = ((blockBytes - head) * 2) / channels + 1;
  const blocks = Math.floor(bytes.length / blockBytes);
  const samples = new Int16Array(blocks * each * channels);
  const view = toView(bytes);
  for (let block = 0; block < blocks; block++)
    for (let channel = 0; channel < channels; channel++) {
      const start = block * blockBytes;
      let level = view.getInt16(start + channel * 4, true);
      let index = Math.min(MOST_INDEX, view.getUint8(start + channel * 4 + 2));
      const put = (at: number) => (samples[(block * each + at) * channels + channel] = level);
      put(0);
      for (let at = 1; at < each; at++) {
        // Eight samples of one channel, then eight of the next.
        const group = (at - 1) >> 3;
        const byte = start + head + (group * channels + channel) * 4 + (((at - 1) & 7) >> 1);
        const code = (view.getUint8(byte) >> (at & 1 ? 0 : 4)) & 15;
        const difference = ((2 * (code & 7) + 1) * (IMA_STEPS[index] ?? 0)) >> 3;
        level = clip(code & 8 ? level - difference : level + difference);
        index = Math.max(0, Math.min(MOST_INDEX, index + (IMA_INDEXES[code & 7] ?? 0)));
        put(at);
      }
    }
  return samples;
}

const MS_STEPS = [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];
// In 256ths: the weights of the two samples before.
const MS_WEIGHTS = [
  [256, 0],
  [512, -256],
  [0, 0],
  [192, 64],
  [240, 0],
  [460, -208],
  [392, -232],
] as const;

export function decodeMs(bytes: Uint8Array, { channels, blockBytes }: Blocks): Int16Array {
  const head = 7 * channels;
  const each = ((blockBytes - head) * 2) / channels + 2;
  const blocks = Math.floor(bytes.length / blockBytes);
  const samples = new Int16Array(blocks * each * channels);
  const view = toView(bytes);
  for (let block = 0; block < blocks; block++) {
    const start = block * blockBytes;
    const int16 = (field: number, channel: number) =>
      view.getInt16(start + channels + (field * channels + channel) * 2, true);
    for (let channel = 0; channel < channels; channel++) {
      const [weight, weightBefore] = MS_WEIGHTS[view.getUint8(start + channel)] ?? [0, 0];
      let step = int16(0, channel);
      let level = int16(1, channel);
      let before = int16(2, channel);
      const put = (at: number, value: number) =>
        (samples[(block * each + at) * channels + channel] = value);
      put(0, before);
      put(1, level);
      for (let at = 2; at < each; at++) {
        const nibble = (at - 2) * channels + channel;
        const code = (view.getUint8(start + head + (nibble >> 1)) >> (nibble & 1 ? 0 : 4)) & 15;
        const guess = Math.trunc((level * weight + before * weightBefore) / 256);
        before = level;
        level = clip(guess + (code & 8 ? code - 16 : code) * step);
        step = Math.max(16, ((MS_STEPS[code] ?? 0) * step) >> 8);
        put(at, level);
      }
    }
  }
  return samples;
}
