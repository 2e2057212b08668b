// Names and notes that programs put before, between and after the frames of a stream.
import { textAt, toView } from "../bytes.ts";
import { pass, peek, type Walk } from "../feed.ts";

const ID3_HEAD_BYTES = 10;
const ID3_V1_BYTES = 128;
const APE_HEAD_BYTES = 32;

/** Returns the length of the tag that was passed; 0 if there is none. */
export function* passTag(): Walk<number> {
  const head = yield* peek(16);
  const length = toLength(head);
  return length === 0 ? 0 : yield* pass(length);
}

function toLength(head: Uint8Array): number {
  const start = textAt(head, 0, 8);
  // https://id3.org/id3v2.4.0-structure, section 3.1: seven bits of each byte.
  if (start.startsWith("ID3") && head.length >= ID3_HEAD_BYTES)
    return ID3_HEAD_BYTES + head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
  if (start.startsWith("TAG")) return ID3_V1_BYTES;
  if (start === "APETAGEX" && head.length >= 16)
    return APE_HEAD_BYTES + toView(head).getUint32(12, true);
  return 0;
}
