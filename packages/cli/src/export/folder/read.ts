// Reads files of any length, and files that may have been changed.
import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { ifMissing } from "../../failures/system-error.ts";

const LINE_FEED = 0x0a;
const FIRST_BYTES = 262_144;

export interface FileLine {
  readonly text: string;
  /** Length with its line feed. */
  readonly bytes: number;
}

/**
 * Yields the lines of each read together, without an unfinished last line. Needs memory for the longest line. `node:readline` would also
 * split at U+2028, which JSON does not escape.
 */
export async function* readLines(path: string): AsyncGenerator<readonly FileLine[]> {
  await using file = await open(path, "r");
  // A new buffer for each read would become garbage faster than V8 collects it.
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

/** Adds a file to the hash, and returns its length. */
export async function hashFile(path: string, hash: Hash): Promise<number> {
  let bytes = 0;
  for await (const block of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(block);
    bytes += block.length;
  }
  return bytes;
}

/** The length of a file; undefined for links, folders and missing files. */
export async function readSize(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(ifMissing(undefined));
  return found?.isFile() ? found.size : undefined;
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
