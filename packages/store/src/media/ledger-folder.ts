// The ledger in a directory: one file for each entry and each hold.
import { randomUUID } from "node:crypto";
import { link, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreFault } from "../port/faults.ts";
import type { LedgerPlace } from "../port/ledger.ts";
import { parseFile, toFile } from "../values/ledger.ts";
import { isHoldFile } from "../values/ledger-holds.ts";
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
  const listNames = async () => {
    try {
      return await readdir(directory);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return [];
      throw unavailable(error);
    }
  };
  const read = async (name: string) => {
    try {
      return await readFile(join(directory, name), { encoding: "utf8", flag: READ_AT_ONCE });
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw unavailable(error);
    }
  };
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      await makeFolder(directory);
      await removeLeft(directory);
      return await work();
    } catch (error) {
      throw unavailable(error);
    }
  };
  return {
    name: directory,
    list: async () =>
      (await listNames()).flatMap((name) => parseFile(name) ?? []).toSorted((a, b) => a - b),
    read: (number) => read(toFile(number)),
    add: (number, text) => write(() => addWhole(directory, toFile(number), text)),
    listHolds: async () => {
      const files = (await listNames()).filter(isHoldFile).toSorted();
      const texts = await Promise.all(files.map(read));
      return files.flatMap((file, index) => {
        const text = texts[index];
        return text === undefined ? [] : [{ file, text }];
      });
    },
    putHold: (file, text) => write(() => putWhole(directory, file, text)),
  };
}

// A link fails if the name exists; a rename would replace the file.
async function addWhole(directory: string, name: string, text: string): Promise<boolean> {
  try {
    await writeWhole(directory, text, (temporary) => link(temporary, join(directory, name)));
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

const putWhole = (directory: string, name: string, text: string): Promise<void> =>
  writeWhole(directory, text, (temporary) => rename(temporary, join(directory, name)));

async function writeWhole(
  directory: string,
  text: string,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(directory, `.${randomUUID()}.part`);
  try {
    {
      await using file = await open(temporary, "wx", 0o600);
      await file.writeFile(text);
      await file.sync();
    }
    await publish(temporary);
    await syncFolder(directory);
  } finally {
    await rm(temporary, { force: true });
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;
