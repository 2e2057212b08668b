// Writes files completely or not at all, even with a loss of power.
import type { Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "../../failures/system-error.ts";
import { openAnew, permissions } from "../../files/written-files.ts";

const BLOCK_CHARACTERS = 65_536;

/** A file that gets its name only when it is complete. Until then an earlier file of that name stays. */
export interface DurableFile extends AsyncDisposable {
  readonly write: (content: string | Uint8Array) => Promise<void>;
  /** Resolves to the length in bytes once the file and its name are on the disk. */
  readonly finish: () => Promise<number>;
}

/** Adds its bytes to the hash. */
export async function openDurably(path: string, hash?: Hash): Promise<DurableFile> {
  const part = `${path}.part`;
  const file = await openAnew(part);
  let [block, bytes] = ["", 0];
  const append = async (content: Uint8Array) => {
    bytes += content.length;
    hash?.update(content);
    await file.appendFile(content);
  };
  const flush = async () => {
    const content = Buffer.from(block);
    block = "";
    await append(content);
  };
  return {
    async write(content) {
      if (typeof content === "string") {
        block += content;
        if (block.length >= BLOCK_CHARACTERS) await flush();
      } else {
        await flush();
        await append(content);
      }
    },
    async finish() {
      await flush();
      await file.sync();
      await rename(part, path);
      await syncFolder(dirname(path));
      return bytes;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

export async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await openDurably(path);
  await file.write(text);
  await file.finish();
}

/** Flushes the names in a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and NTFS journals names itself.
  if (process.platform === "win32") return;
  await using folder = await open(path, "r");
  await folder.sync();
}

/** Renames a file, and creates the target folder if it is missing. `syncFolder` flushes the new name to the disk. */
export async function renameIntoPlace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // If the source is missing too, the export may have been removed, so no folder is created again.
    if (!isMissing(error) || !existsSync(from)) throw error;
    await mkdir(dirname(to), { recursive: true, mode: permissions().folder });
    await rename(from, to);
  }
}
