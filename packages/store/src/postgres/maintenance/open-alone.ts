// Work that nobody else's import, copy or erasure may go on beside.
import { ArchiveError } from "../../port/faults.ts";
import { checkMigrated } from "../../values/half-migrated.ts";
import type { Archive } from "../archive.ts";
import { holdGate } from "../locks.ts";

/** Does the work while no other process adds or reads all records. Throws `ArchiveError` if one does. */
export async function inArchiveAlone<T>(archive: Archive, work: () => Promise<T>): Promise<T> {
  const gate = await lockAlone(archive);
  try {
    return await work();
  } finally {
    await gate[Symbol.asyncDispose]();
  }
}

async function lockAlone({ write }: Archive): Promise<AsyncDisposable> {
  const gate = await holdGate(write, true);
  if (gate !== undefined) return gate;
  throw new ArchiveError(
    "an import, an export or another purge is under way in this archive: try again when it has ended",
  );
}

/** Opens the archive if no other process is working in it. Throws `ArchiveError`. */
export async function openAlone(open: () => Promise<Archive>): Promise<Archive> {
  const archive = await open();
  try {
    checkMigrated(archive.settings.migrating);
    const gate = await lockAlone(archive);
    const close = async () => {
      await gate[Symbol.asyncDispose]();
      await archive[Symbol.asyncDispose]();
    };
    return { ...archive, [Symbol.asyncDispose]: close };
  } catch (error) {
    await archive[Symbol.asyncDispose]();
    throw error;
  }
}
