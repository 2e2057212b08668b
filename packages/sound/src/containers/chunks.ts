// Walks a list of chunks, each with a name, a length and a content: RIFF and its wider forms, and IFF.
import { isChunkName, textAt, toView } from "../bytes.ts";
import { pass, peek, take, type Walk } from "../feed.ts";

/** How a kind of file encodes the names and lengths of its chunks. */
export interface Layout {
  readonly headBytes: number;
  /** The length of the content. */
  readonly toLength: (head: Uint8Array) => number;
  /** Chunks begin at multiples of this. */
  readonly alignment: 2 | 8;
}

export const RIFF: Layout = {
  headBytes: 8,
  toLength: (head) => toView(head).getUint32(4, true),
  alignment: 2,
};

export const IFF: Layout = {
  headBytes: 8,
  toLength: (head) => toView(head).getUint32(4),
  alignment: 2,
};

/** Names of 16 bytes, and lengths of 64 bits that include the header (Sony Wave64). */
export const W64: Layout = {
  headBytes: 24,
  toLength: (head) => Math.max(0, Number(toView(head).getBigUint64(16, true)) - 24),
  alignment: 8,
};

export interface Chunk {
  readonly name: string;
  readonly length: number;
}

/**
 * Calls `onChunk` for each chunk. It may walk through the content and returns the number of bytes it used; undefined for a chunk that it
 * skips. Returns the number of bytes after the last chunk that are not a chunk.
 */
export function* walkChunks(
  layout: Layout,
  onChunk: (chunk: Chunk) => Walk<number | undefined>,
): Walk<number> {
  for (;;) {
    const head = yield* take(layout.headBytes);
    const name = textAt(head, 0);
    if (head.length < layout.headBytes) return head.length;
    if (!isChunkName(name)) return head.length + (yield* pass(Infinity));
    const length = layout.toLength(head);
    const used = yield* onChunk({ name, length });
    const left = Math.max(0, length - (used ?? 0));
    const passed = yield* pass(left);
    // Bytes after the samples may look like a name.
    if (used === undefined && passed < left) return head.length + passed;
    yield* passPadding(layout, Math.max(length, used ?? 0));
  }
}

// Some programs leave the padding out.
function* passPadding({ alignment }: Layout, length: number): Walk<void> {
  const padding = (alignment - (length % alignment)) % alignment;
  const next = textAt(yield* peek(5), 0, 5);
  const isLeftOut =
    alignment === 2 && /^[A-Za-z][\w ]{3}/.test(next) && !isChunkName(next.slice(1));
  if (!isLeftOut) yield* pass(padding);
}
