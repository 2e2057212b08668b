// Work that nobody else's import, copy or erasure may go on beside.
import { ArchiveError } from "../../port/faults.ts";
import { checkMigrated } from "../../values/half-migrated.ts";
import type { Archive } from "../archive.ts";
import { type Hold, holdGate } from "../locks.ts";

/** An archive while no other process adds or reads all records. */
export interface AloneArchive extends Archive {
  /** Throws if that is no longer so, because the lock was lost with its connection. */
  readonly prove: Hold["prove"];
}

/** Does the work while no other process adds or reads all records. Throws `ArchiveError` if one does. */
export async function inArchiveAlone<T>(
  archive: Archive,
  work: (alone: AloneArchive) => Promise<T>,
): Promise<T> {
  const gate = await lockAlone(archive);
  try {
    return await work({ ...archive, prove: gate.prove });
  } finally {
    await gate[Symbol.asyncDispose]();
  }
}

async function lockAlone({ write }: Archive): Promise<Hold> {
  const gate = await holdGate(write, true);
  if (gate !== undefined) return gate;
  throw new ArchiveError(
    "an import, an export or another purge is under way in this archive: try again when it has ended",
  );
}

/** Opens the archive if no other process is working in it. Throws `ArchiveError`. */
export async function openAlone(open: () => Promise<Archive>): Promise<AloneArchive> {
  const archive = await open();
  try {
    checkMigrated(archive.settings.migrating);
    const gate = await lockAlone(archive);
    const close = async () => {
      await gate[Symbol.asyncDispose]();
      await archive[Symbol.asyncDispose]();
    };
    return { ...archive, prove: gate.prove, [Symbol.asyncDispose]: close };
  } catch (error) {
    await archive[Symbol.asyncDispose]();
    throw error;
  }
}
