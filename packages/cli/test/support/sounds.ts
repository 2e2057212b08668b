// Recordings whose every sample tells where it stands.
import { hash } from "node:crypto";

export const RATE = 8_000;
const HEAD_BYTES = 44;

/** PCM of 16 bits, mono; no sample is 0. `notes`: a chunk behind the samples. */
export function toCountedWav(seconds: number, seed = 1, notes = ""): Uint8Array {
  const samples = Buffer.alloc(2 * RATE * seconds);
  for (let at = 0; at < RATE * seconds; at++)
    samples.writeInt16LE(1 + ((at * 7 + seed * 1_000) % 30_000), 2 * at);
  const chunk = Buffer.from(notes === "" ? "" : `note\u0000\u0000\u0000\u0000${notes}`);
  if (notes !== "") chunk.writeUInt32LE(notes.length, 4);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write("RIFF");
  head.writeUInt32LE(HEAD_BYTES - 8 + samples.length + chunk.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(2 * RATE, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return new Uint8Array(Buffer.concat([head, samples, chunk]));
}

export const toSha256 = (bytes: Uint8Array): string => hash("sha256", bytes);

/** The spans of silence, in seconds. */
export function listSilence(wav: Uint8Array): readonly (readonly [from: number, to: number])[] {
  const samples = new Int16Array(Uint8Array.from(wav.subarray(HEAD_BYTES)).buffer);
  const found: (readonly [number, number])[] = [];
  for (let at = 0; at < samples.length; at++) {
    if (samples[at] !== 0) continue;
    const from = at;
    while (samples[at] === 0) at++;
    found.push([from / RATE, at / RATE]);
  }
  return found;
}
