// Sends the bytes of a recording unchanged, or as base64 inside the envelope. Each request uses one buffer: a large, reused one for the
// first requests, a small one for the others.
import type { ByteRange, Media, OpenMedia } from "@call-media/store";

// Measured: larger buffers save no more time.
const LARGE_BYTES = 384 * 1024;

// Clients that read nothing occupy a buffer, two over TLS. With 500 of them, all but the first ones have small
// buffers, at one and a half times the CPU. Divisible by three and four, as base64 requires.
const SMALL_BYTES = 48 * 1024;
const MAX_LARGE_BUFFERS = 32;

// The bytes of a recording that are encoded as base64 at a time; divisible by three, so that the parts can be joined.
// For a text of more than 128 KiB, V8 allocates memory from the kernel and frees it each time: eight times the CPU.
const BASE64_STEP_BYTES = 24 * 1024;

// The maximum number of large buffers kept for later requests: 6 MB.
const MAX_FREE_BUFFERS = 16;

/** The length and the chunks of a body made from a recording. */
export interface MediaBody {
  readonly bytes: number;
  readonly pieces: (source: OpenMedia) => AsyncIterable<Uint8Array>;
}

export function toBytesBody(range: ByteRange): MediaBody {
  return {
    bytes: range.last - range.first + 1,
    pieces: (source) => withBuffer((buffer) => readPieces(source, range, buffer)),
  };
}

/** JSON as text: `before` and `after` surround the base64. */
export function toBase64Body(media: Media, around: { before: string; after: string }): MediaBody {
  const before = Buffer.from(around.before);
  const after = Buffer.from(around.after);
  const range = { first: 0, last: media.bytes - 1 };
  return {
    bytes: before.length + toBase64Bytes(media.bytes) + after.length,
    pieces: async function* (source) {
      yield before;
      yield* withBuffer(async function* (text) {
        // The recording is read into the end of the buffer that its base64 fills from the start. The base64 never catches up.
        const buffer = text.subarray(text.length / 4);
        for await (const piece of readPieces(source, range, buffer))
          yield text.subarray(0, writeBase64(piece, text));
      });
      yield after;
    },
  };
}

// A new buffer for each request took a third to a half of the CPU time for recordings of 400 KB. The kernel has to provide the memory,
// and V8 to collect it.
const free: Buffer[] = [];
let largeInUse = 0;

async function* withBuffer(
  use: (buffer: Buffer) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (largeInUse >= MAX_LARGE_BUFFERS) {
    yield* use(Buffer.allocUnsafeSlow(SMALL_BYTES));
    return;
  }
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
  largeInUse += 1;
  try {
    yield* use(buffer);
    // Not after a failure: some of it may still be in transit.
    if (free.length < MAX_FREE_BUFFERS) free.push(buffer);
  } finally {
    largeInUse -= 1;
  }
}

const toBase64Bytes = (bytes: number) => Math.ceil(bytes / 3) * 4;

/** Returns the length of the text. */
function writeBase64(piece: Buffer, text: Buffer): number {
  let length = 0;
  for (let at = 0; at < piece.length; at += BASE64_STEP_BYTES)
    length += text.write(piece.toString("base64", at, at + BASE64_STEP_BYTES), length, "latin1");
  return length;
}

// The number of chunks is known beforehand, so a counting error cannot make this loop forever.
async function* readPieces(
  source: OpenMedia,
  { first, last }: ByteRange,
  buffer: Buffer,
): AsyncGenerator<Buffer> {
  const bytes = last - first + 1;
  const pieces = Math.ceil(bytes / buffer.length);
  for (let index = 0; index < pieces; index += 1) {
    const start = index * buffer.length;
    const piece = buffer.subarray(0, Math.min(buffer.length, bytes - start));
    await source.read(piece);
    yield piece;
  }
}
