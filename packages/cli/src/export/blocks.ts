// Bytes from the network into a file, a block at a time.
import type { Hash } from "node:crypto";
import type { OpenFile } from "./open-file.ts";
import type { Pace } from "./pace.ts";

/** So much is written at once. What is shorter is there as a whole or not at all. */
export const BLOCK_BYTES = 262_144;

export interface Target {
  readonly file: OpenFile;
  readonly hash: Hash;
  /** Is waited for before a part of the recording is written that is not the last. */
  readonly beforePart: () => Promise<unknown>;
}

/** On the disk when it resolves, to how many bytes came. */
export async function receiveBlocks(
  pace: Pace,
  body: ReadableStream<Uint8Array>,
  { file, hash, beforePart }: Target,
): Promise<number> {
  let bytes = 0;
  let block: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of body) {
    if (held >= BLOCK_BYTES) {
      if (bytes === held) await beforePart();
      file.write(block);
      [block, held] = [[], 0];
    }
    hash.update(chunk);
    block.push(chunk);
    held += chunk.length;
    bytes += chunk.length;
    await pace.receive(chunk.length);
  }
  file.write(block);
  await file.sync();
  return bytes;
}
