// Bytes from the network into a file, a block at a time.
import type { Hash } from "node:crypto";
import type { Pace } from "../asking/pace.ts";
import type { OpenFile } from "../folder/open-file.ts";

/**
 * So much is written as soon as it is there. More would have left the caches of the processor by then, and writing it would
 * take longer.
 */
const BLOCK_BYTES = 65_536;

export interface Target {
  readonly file: OpenFile;
  readonly hash: Hash;
  /** Is waited for before the first block is written, unless that is the last one and shorter. */
  readonly beforePart: () => Promise<unknown>;
}

/** How many bytes came. `body` comes from the network: its chunks are of no use to anybody else afterwards. */
export async function receiveBlocks(
  pace: Pace,
  body: ReadableStream<Uint8Array>,
  target: Target,
): Promise<number> {
  // `for await` over a stream takes several promises more for each chunk.
  const reader = body.getReader();
  try {
    return await copyBlocks(pace, reader, target);
  } catch (error) {
    await reader.cancel(error).catch(() => {}); // of a body that broke off
    throw error;
  }
}

async function copyBlocks(
  pace: Pace,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { file, hash, beforePart }: Target,
): Promise<number> {
  let [bytes, held] = [0, 0];
  let block: Uint8Array[] = [];
  const flush = () => {
    file.write(block);
    block.forEach(letGo);
    [block, held] = [[], 0];
  };
  for (let chunk; (chunk = (await reader.read()).value) !== undefined;) {
    const { length } = chunk; // once it is written it has none
    hash.update(chunk);
    block.push(chunk);
    held += length;
    bytes += length;
    if (held >= BLOCK_BYTES) {
      if (bytes === held) await beforePart();
      flush();
    }
    await pace.receive(length);
  }
  flush();
  return bytes;
}

/**
 * Frees what was written. A chunk of the network has its memory to itself, outside of the heap; left to be found as garbage
 * it would cost V8 a look through all of the heap for each 30 MB that come.
 */
function letGo({ buffer, length }: Uint8Array): void {
  if (length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
