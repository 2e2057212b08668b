// The ledger of erasures in a directory: one file for each entry.
import { randomUUID } from "node:crypto";
import { link, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreFault } from "../port/faults.ts";
import type { LedgerPlace } from "../port/ledger.ts";
import { parseFile, toFile } from "../values/ledger.ts";
import { isNoRoom, makeFolder, MAKE_ROOM, READ_AT_ONCE, syncFolder } from "./files.ts";
import { removeLeft } from "./take-in.ts";

/** In the directory of an archive, and in that of a backup. */
export const LEDGER = "ledger";

/** The directory is made with the first entry. */
export function createLedgerFolder(directory: string): LedgerPlace {
  const unavailable = (cause: unknown) => {
    const isFull = cause instanceof Error && isNoRoom(cause);
    const why = isFull ? MAKE_ROOM : String(cause);
    const text = `the ledger in ${directory} cannot be used: ${why}`;
    return new StoreFault(isFull ? "full" : "unavailable", text, { cause });
  };
  return {
    name: directory,
    list: async () => {
      try {
        const names = await readdir(directory);
        return names.flatMap((name) => parseFile(name) ?? []).toSorted((a, b) => a - b);
      } catch (error) {
        if (hasCode(error, "ENOENT")) return [];
        throw unavailable(error);
      }
    },
    read: async (number) => {
      try {
        const path = join(directory, toFile(number));
        return await readFile(path, { encoding: "utf8", flag: READ_AT_ONCE });
      } catch (error) {
        if (hasCode(error, "ENOENT")) return undefined;
        throw unavailable(error);
      }
    },
    add: async (number, text) => {
      try {
        await makeFolder(directory);
        await removeLeft(directory);
        return await addWhole(directory, toFile(number), text);
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

// A link fails if the name exists; a rename would replace the file.
async function addWhole(directory: string, name: string, text: string): Promise<boolean> {
  const temporary = join(directory, `.${randomUUID()}.part`);
  try {
    {
      await using file = await open(temporary, "wx", 0o600);
      await file.writeFile(text);
      await file.sync();
    }
    await link(temporary, join(directory, name));
    await syncFolder(directory);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;
