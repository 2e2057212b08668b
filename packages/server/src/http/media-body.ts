// The bytes of a recording on their way out: as they are, or as base64 inside the envelope. Memory stays one buffer a request.
import { type Media, MediaDamaged, type OpenMedia } from "@call-media/store";
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
      for await (const piece of readPieces(source, media, range)) await write(piece);
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
      for await (const piece of readPieces(source, media, { first: 0, last: media.bytes - 1 }))
        await write(piece.toString("base64"));
      await write(after);
    },
  };
}

// The number of pieces is settled beforehand: no fault in counting can make this go on for ever.
async function* readPieces(
  source: OpenMedia,
  { sha256 }: Media,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Buffer> {
  const bytes = last - first + 1;
  const buffer = Buffer.allocUnsafe(Math.min(BUFFER_BYTES, bytes));
  const pieces = Math.ceil(bytes / buffer.length);
  for (let index = 0; index < pieces; index += 1) {
    const start = index * buffer.length;
    const piece = buffer.subarray(0, Math.min(buffer.length, bytes - start));
    if ((await source.read(piece, first + start)) < piece.length)
      throw new MediaDamaged(`the file of recording ${sha256} became shorter while it was sent`);
    yield piece;
  }
}
