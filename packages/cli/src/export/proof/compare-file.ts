// Compares a file with the length and the digest that it should have.
import { createHash } from "node:crypto";
import { toReadFault } from "../../failures/system-error.ts";
import { toCounted } from "@call-media/terminal";
import { hashFile, readSize } from "../folder/read.ts";

/** A file that differs from what manifest, report or check sums say. */
export interface Difference {
  /** Path in the folder. */
  readonly file: string;
  readonly what: string;
}

interface Expected {
  readonly bytes?: number;
  readonly sha256: string;
}

/** Says how the file differs; undefined if it does not. `visit` is called with every block of the file. */
export async function findFault(
  path: string,
  { bytes, sha256 }: Expected,
  visit?: (block: Uint8Array) => void,
): Promise<string | undefined> {
  try {
    const size = await readSize(path);
    if (size === undefined) return "is missing";
    if (bytes !== undefined && size !== bytes)
      return `has ${toCounted(size, "byte")}, not ${bytes.toLocaleString("en")}`;
    const digest = createHash("sha256");
    await hashFile(path, digest, visit);
    return digest.digest("hex") === sha256 ? undefined : "has other bytes";
  } catch (error) {
    return toReadFault(error);
  }
}
