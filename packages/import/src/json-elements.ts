// The records of a JSON document of any length, which lie at one path. Documents may follow each other, on lines of their
// own or without a separator.
import { findDuplicateKey } from "./duplicate-key.ts";
import { createElementFinder, type Found } from "./json-finder.ts";
import { parseJson } from "./json.ts";
import { readLines } from "./lines.ts";
import type { UnfitRow } from "./source-row.ts";

export interface JsonElement {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly raw: string;
  readonly value: unknown;
}

// An element is held in memory; the longest honest one is the conversation of a day with its transcript.
const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;
const KEPT_BYTES = 65_536;
const LINE_FEED = 0x0a;

/**
 * The values at `path`: `conversations.*` are the elements of that array, `*` those of a document that is an array, ""
 * is the document. After a syntax error the rest of the file is one rejected row.
 */
export async function* readElements(
  chunks: AsyncIterable<Buffer>,
  path: string,
): AsyncGenerator<JsonElement | UnfitRow> {
  const finder = createElementFinder(path === "" ? [] : path.split("."));
  const text = createWindow();
  for await (const chunk of chunks) {
    text.add(chunk);
    const { found, fault } = finder.find(chunk);
    for (const element of found) yield toElement(element, text);
    text.dropBefore(finder.neededFrom());
    const faultHere = fault ?? (text.length() > MAX_ELEMENT_BYTES ? TOO_LONG : undefined);
    if (faultHere === undefined) continue;
    yield toRest(faultHere, text);
    return;
  }
  if (finder.isInside())
    yield toRest("not valid JSON: the file ends before the document does", text);
}

/** A value on each non-blank line, so that a fault costs only its line. */
export async function* readJsonLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes = MAX_ELEMENT_BYTES,
): AsyncGenerator<JsonElement | UnfitRow> {
  for await (const row of readLines(chunks, maxBytes)) {
    if ("reason" in row) yield row;
    else if (row.text.trim() !== "") yield parseElement(row.line, row.text);
  }
}

const TOO_LONG = `a record is longer than ${MAX_ELEMENT_BYTES.toLocaleString("en")} bytes`;

type Window = ReturnType<typeof createWindow>;

function toElement(found: Found, text: Window): JsonElement | UnfitRow {
  text.dropBefore(found.start);
  const line = text.line();
  if ("value" in found) return { line, raw: JSON.stringify(found.value), value: found.value };
  return parseElement(line, text.read(found.end - found.start));
}

function parseElement(line: number, raw: string): JsonElement | UnfitRow {
  const parsed = parseJson(raw);
  if ("fault" in parsed) return { line, raw, reason: parsed.fault };
  const { value } = parsed;
  const reason = findDuplicateKey(raw, value);
  return reason === undefined ? { line, raw, value } : { line, raw, reason };
}

function toRest(fault: string, text: Window): UnfitRow {
  const reason = `${fault}; nothing was read from here on`;
  return { line: text.line(), raw: text.read(KEPT_BYTES), reason };
}

/** The bytes that are still needed, and the number of the line on which they begin. */
function createWindow() {
  let parts: Buffer[] = [];
  let length = 0;
  let from = 0; // offset of the first byte in the stream
  let line = 1;

  // Joined when an element is complete: joining with every chunk would copy a long element again and again.
  const join = () => {
    const [only] = parts;
    const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
    parts = [whole];
    return whole;
  };

  return {
    add: (chunk: Buffer) => {
      parts.push(chunk);
      length += chunk.length;
    },
    dropBefore: (offset: number) => {
      const count = Math.min(offset - from, length);
      if (count <= 0) return;
      const whole = join();
      const gone = whole.subarray(0, count); // not to search what lies behind it once for every element
      for (let at = gone.indexOf(LINE_FEED); at !== -1; at = gone.indexOf(LINE_FEED, at + 1))
        line += 1;
      parts = [whole.subarray(count)];
      length -= count;
      from += count;
    },
    read: (bytes: number) => join().toString("utf8", 0, bytes),
    length: () => length,
    line: () => line,
  };
}
