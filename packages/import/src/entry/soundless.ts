// Whether a recording holds no sound: recorders that are stopped before anybody speaks leave a header alone.

/** A header with all the lists that recorders put before the samples is shorter than this. */
export const LONGEST_HEADER_BYTES = 4_096;

/** Of WAV (RIFF, RF64); false for any other content. Lengths in headers are not trusted: many recorders never fill them in. */
export function isHeaderAlone(content: Uint8Array): boolean {
  const bytes = Buffer.from(content);
  const id = (at: number) => bytes.toString("latin1", at, at + 4);
  if (!["RIFF", "RF64"].includes(id(0)) || id(8) !== "WAVE") return false;
  let at = 12;
  while (at + 8 <= bytes.length) {
    if (id(at) === "data") return at + 8 >= bytes.length;
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return true;
}
