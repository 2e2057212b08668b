// Decodes a file into UTF-8: unpacks gzip, and converts the encoding that a byte order mark names. Text without a mark passes
// through unchanged; readers check line by line that it is UTF-8.
import { StringDecoder } from "node:string_decoder";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { ImportError } from "./import-error.ts";
import { peek } from "./peek.ts";

const GZIP = Buffer.from([0x1f, 0x8b]); // RFC 1952, section 2.3.1
const ZIP = Buffer.from("PK\x03\x04", "latin1");
const EMPTY_ZIP = Buffer.from("PK\x05\x06", "latin1");
const UTF_8 = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF_16_LE = Buffer.from([0xff, 0xfe]);
const UTF_16_BE = Buffer.from([0xfe, 0xff]);
const LONGEST_MARK = 4;
const NO_UTF_8 = Buffer.of(0xff);
const SPACE = 0x20;

// Logs shrink to a tenth, repetitive ones to a fiftieth. Deflate can reach a thousandth, which only bombs do.
const MAX_GROWTH = 200;
const FREE_BYTES = 4 * 1024 * 1024;

/** Throws `ImportError`, naming the file, for a damaged file and for one that unpacks beyond all measure. */
export async function* decode(name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { beginning, chunks } = await peek(source, LONGEST_MARK);
  const text = decodeText(name, startsWith(beginning, GZIP) ? gunzip(name, chunks) : chunks);
  yield* limitBlank(name, text);
}

// Packed, white space is a thousandth of what it is; and a blank line takes as long to read as a short row.
const MAX_BLANK_BYTES = 1024 * 1024;

async function* limitBlank(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let blank = 0;
  for await (const chunk of chunks) {
    const last = chunk.findLastIndex((byte) => byte > SPACE);
    blank = last === -1 ? blank + chunk.length : chunk.length - 1 - last;
    if (blank > MAX_BLANK_BYTES)
      throw new ImportError(
        `${name} has more than ${MAX_BLANK_BYTES.toLocaleString("en")} bytes of white space in one place, which no honest log has: cut them out`,
      );
    yield chunk;
  }
}

/** Passes chunks on; throws `ImportError` as soon as they exceed the ratio of honest compression. */
export function createGrowthLimit(name: string, packedBytes: () => number) {
  let bytes = 0;
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > FREE_BYTES && bytes > packedBytes() * MAX_GROWTH) {
        throw new ImportError(
          `${name} is more than ${MAX_GROWTH} times as long unpacked, which no honest log is: unpack it and import what it holds`,
        );
      }
      yield chunk;
    }
  };
}

export function isZip(beginning: Buffer): boolean {
  return startsWith(beginning, ZIP) || startsWith(beginning, EMPTY_ZIP);
}

async function* decodeText(name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { beginning, chunks } = await peek(source, LONGEST_MARK);
  if (startsWith(beginning, GZIP) || isZip(beginning)) {
    await chunks.return(undefined);
    throw new ImportError(`${name} is packed more than once: unpack it and import what it holds`);
  }
  if (startsWith(beginning, UTF_16_LE)) yield* fromUtf16(skip(chunks, UTF_16_LE.length));
  else if (startsWith(beginning, UTF_16_BE))
    yield* fromUtf16(swapBytes(skip(chunks, UTF_16_BE.length)));
  else yield* startsWith(beginning, UTF_8) ? skip(chunks, UTF_8.length) : chunks;
}

async function* skip(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    yield left === 0 ? chunk : chunk.subarray(left);
    left = 0;
  }
}

async function* gunzip(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let packedBytes = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      packedBytes += chunk.length;
      yield chunk;
    }
  };
  // gzip reads several members in sequence as one (RFC 1952, section 2.2).
  const unpacked = pipeline(counted, createGunzip(), () => {}); // its errors come out of reading, too
  try {
    yield* createGrowthLimit(name, () => packedBytes)(unpacked);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const fault = error instanceof Error ? error.message : String(error);
    throw new ImportError(`${name} is not a complete gzip file: ${fault}`, { cause: error });
  }
}

// A lone surrogate, or half a character at the end, becomes a byte that UTF-8 does not have, so that its line is rejected.
async function* fromUtf16(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new StringDecoder("utf16le");
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    yield toUtf8(decoder.write(chunk));
  }
  yield toUtf8(decoder.end());
  if (bytes % 2 === 1) yield NO_UTF_8;
}

function toUtf8(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const parts = text.split(/\p{Surrogate}/u).flatMap((part) => [NO_UTF_8, Buffer.from(part)]);
  return Buffer.concat(parts.slice(1));
}

async function* swapBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let odd = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const whole = Buffer.concat([odd, chunk]);
    const even = whole.length - (whole.length % 2);
    odd = whole.subarray(even);
    yield whole.subarray(0, even).swap16();
  }
  yield odd;
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}
