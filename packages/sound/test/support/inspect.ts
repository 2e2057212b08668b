// The facts of bytes that come in pieces.
import { createInspector, type SoundFacts } from "../../src/index.ts";

/** In pieces of these lengths, over and over; default: at once. */
export function inspect(
  bytes: Uint8Array,
  { filename, lengths = [Infinity] }: { filename?: string; lengths?: readonly number[] } = {},
): SoundFacts {
  const inspector = createInspector({ filename });
  let turn = 0;
  for (let at = 0; at < bytes.length; turn++) {
    const length = Math.max(1, lengths[turn % lengths.length] ?? 1);
    // A buffer that is used again, as files are read.
    inspector.push(Uint8Array.from(bytes.subarray(at, at + length)));
    at += length;
  }
  return inspector.end();
}

export const kindsOf = ({ findings }: SoundFacts): string[] => findings.map(({ kind }) => kind);
