// Splits a file into lines of text without their ends. Each is checked to be UTF-8, and its length is limited, so that memory
// does not grow with the file.
import { isUtf8 } from "node:buffer";
import type { UnfitRow } from "./source-row.ts";

export interface Line {
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

// Beginning of an over-long line that is kept, for the reject file.
const KEPT_BYTES = 65_536;

export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Line | UnfitRow> {
  const open = createOpenLine(maxBytes);
  let line = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      open.add(chunk.subarray(start, end));
      yield open.take(++line);
      start = end + 1;
    }
    open.add(chunk.subarray(start));
  }
  if (open.isBegun()) yield open.take(++line);
}

/** A line that is joined from the chunks it lies in. */
function createOpenLine(maxBytes: number) {
  let parts: Buffer[] = [];
  let bytes = 0;

  return {
    isBegun: () => bytes > 0,
    add: (part: Buffer) => {
      if (part.length === 0) return;
      bytes += part.length;
      if (bytes <= maxBytes || parts.length === 0) parts.push(part);
      else parts = [Buffer.concat(parts).subarray(0, KEPT_BYTES)];
    },
    take: (line: number): Line | UnfitRow => {
      const [only] = parts;
      const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
      const isTooLong = bytes > maxBytes;
      parts = [];
      bytes = 0;
      if (isTooLong)
        return toUnfit(line, whole, `is longer than ${maxBytes.toLocaleString("en")} bytes`);
      return toLine(line, whole);
    },
  };
}

function toLine(line: number, whole: Buffer): Line | UnfitRow {
  const end = whole.at(-1) === CARRIAGE_RETURN ? whole.length - 1 : whole.length;
  const content = whole.subarray(0, end);
  return isUtf8(content)
    ? { line, text: content.toString("utf8") }
    : toUnfit(line, content, "is not valid UTF-8");
}

function toUnfit(line: number, content: Buffer, fault: string): UnfitRow {
  return {
    line,
    raw: content.subarray(0, KEPT_BYTES).toString("utf8"),
    reason: `the line ${fault}`,
  };
}
