// Compares a file with the length and the digest that it should have.
import { createHash } from "node:crypto";
import type { Written } from "@call-media/handover";
import { toReadFault } from "../../failures/system-error.ts";
import { toCounted } from "@call-media/terminal";
import type { Contents } from "./contents.ts";

/** A file that differs from the manifest, report or checksums. */
export interface Difference {
  /** Path in the folder. */
  readonly file: string;
  readonly what: string;
}

interface Expected {
  readonly file: string;
  readonly bytes?: number;
  readonly sha256: string;
}

/** Describes how the file differs; undefined if it does not. `visit` is called with every block of the file. */
export async function findFault(
  contents: Contents,
  { file, bytes, sha256 }: Expected,
  visit?: (block: Uint8Array) => void,
): Promise<string | undefined> {
  try {
    const size = await contents.size(file);
    if (size === undefined) return "is missing";
    if (bytes !== undefined && size !== bytes)
      return `has ${toCounted(size, "byte")}, not ${bytes.toLocaleString("en")}`;
    return (await hashBlocks(contents.read(file), visit)).sha256 === sha256
      ? undefined
      : "has other bytes";
  } catch (error) {
    return toReadFault(error);
  }
}

/** `visit` is called with every block. */
export async function hashBlocks(
  blocks: AsyncIterable<Uint8Array>,
  visit: (block: Uint8Array) => void = () => {},
): Promise<Pick<Written, "bytes" | "sha256">> {
  const digest = createHash("sha256");
  let bytes = 0;
  for await (const block of blocks) {
    digest.update(block);
    visit(block);
    bytes += block.length;
  }
  return { bytes, sha256: digest.digest("hex") };
}
