// The bytes of a recording on their way out: as they are, or as base64 inside the envelope. Memory stays one buffer a request.
import type { Media, OpenMedia } from "@call-media/store";
import type { StreamedBody, Write } from "./reply.ts";

// Measured: larger buffers save no more time. Divisible by three, so that base64 of the pieces is base64 of the whole.
const BUFFER_BYTES = 3 * 128 * 1024;

type Open = (media: Media) => Promise<OpenMedia>;

/** Bytes `first` to `last` of the recording, both inclusive. */
export function toBytesBody(
  media: Media,
  open: Open,
  range: { first: number; last: number },
): StreamedBody {
  return {
    bytes: range.last - range.first + 1,
    open: () => open(media),
    write: async (source, write) => {
      for await (const piece of readPieces(source, range)) await write(piece);
    },
  };
}

/** JSON `{ ...before, [field]: "<base64>" , ...}` as text: `before` and `after` stand around the base64. */
export function toBase64Body(
  media: Media,
  open: Open,
  around: { before: string; after: string },
): StreamedBody {
  const before = Buffer.from(around.before);
  const after = Buffer.from(around.after);
  return {
    bytes: before.length + Math.ceil(media.bytes / 3) * 4 + after.length,
    open: () => open(media),
    write: async (source: OpenMedia, write: Write) => {
      await write(before);
      for await (const piece of readPieces(source, { first: 0, last: media.bytes - 1 }))
        await write(piece.toString("base64"));
      await write(after);
    },
  };
}

async function* readPieces(
  source: OpenMedia,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(BUFFER_BYTES, last - first + 1));
  for (let position = first; position <= last;) {
    const wanted = buffer.subarray(0, Math.min(buffer.length, last - position + 1));
    const count = await source.read(wanted, position);
    if (count < wanted.length) throw new Error("the recording's file ends before its length");
    yield wanted;
    position += count;
  }
}
