// Bytes from the network into a file, a block at a time: each write of a piece is a way through another thread and back.
import type { Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { Pace } from "./pace.ts";

/** So much is written at once. What is shorter is there as a whole or not at all. */
export const BLOCK_BYTES = 262_144;

export interface Target {
  readonly file: FileHandle;
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
      await writeAll(file, block);
      [block, held] = [[], 0];
    }
    hash.update(chunk);
    block.push(chunk);
    held += chunk.length;
    bytes += chunk.length;
    await pace.receive(chunk.length);
  }
  await writeAll(file, block);
  await file.datasync();
  return bytes;
}

/** A disk may take less than it is given. */
async function writeAll(file: FileHandle, block: readonly Uint8Array[]): Promise<void> {
  for (let rest = block; rest.length > 0;) {
    const { bytesWritten } = await file.writev(rest);
    rest = skipBytes(rest, bytesWritten);
  }
}

function skipBytes(block: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let left = count;
  return block.flatMap((chunk) => {
    const rest = chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
    return rest.length > 0 ? rest : [];
  });
}
