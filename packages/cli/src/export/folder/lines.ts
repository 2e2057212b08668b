// The lines of a file of any length, one after the other, in the memory of the longest.
import { open } from "node:fs/promises";

const LINE_FEED = 0x0a;
const FIRST_BYTES = 262_144;

export interface FileLine {
  readonly text: string;
  /** With its line feed. */
  readonly bytes: number;
}

/**
 * As many at once as are read at once, without what follows the last line feed. `node:readline` would split at U+2028 as
 * well, which JSON leaves as it is.
 */
export async function* splitLines(path: string): AsyncGenerator<readonly FileLine[]> {
  await using file = await open(path, "r");
  // One buffer for all: a new one each time would be garbage faster than it is collected.
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let held = 0;
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(held)]);
    const { bytesRead } = await file.read(buffer, held, buffer.length - held);
    if (bytesRead === 0) return;
    const end = held + bytesRead;
    let from = 0;
    const lines: FileLine[] = [];
    for (let at; (at = buffer.subarray(0, end).indexOf(LINE_FEED, from)) >= 0; from = at + 1)
      lines.push({ text: buffer.toString("utf8", from, at), bytes: at + 1 - from });
    yield lines;
    buffer.copyWithin(0, from, end);
    held = end - from;
  }
}
