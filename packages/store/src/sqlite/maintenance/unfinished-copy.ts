// A copy of an archive that was interrupted while its databases got their names. A note tells which of them belong to it, so that the
// copy can be repeated.
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NamedFile } from "./snapshot.ts";

const NOTE = "unfinished.part";

/** Notes the databases that are about to get their names in the directory. */
export async function noteUnfinished(
  directory: string,
  files: readonly NamedFile[],
): Promise<void> {
  const states = files.map(async ({ name, path }) => [name, await readState(path)] as const);
  const noted = Object.fromEntries(await Promise.all(states));
  await writeFile(join(directory, NOTE), JSON.stringify(noted), { mode: 0o600 });
}

export async function forgetUnfinished(directory: string): Promise<void> {
  await rm(join(directory, NOTE), { force: true });
}

/** True if the database of that name comes from an unfinished copy, and nobody has written to it since. */
export async function isUnfinished(directory: string, name: string): Promise<boolean> {
  try {
    const noted: unknown = JSON.parse(await readFile(join(directory, NOTE), "utf8"));
    const state = await readState(join(directory, name));
    return Object.entries(noted ?? {}).some(([one, known]) => one === name && known === state);
  } catch {
    return false; // without a note it may be anything
  }
}

/** Renaming the file does not change this. */
async function readState(path: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(path, { bigint: true });
  return `${ino}-${size}-${mtimeNs}`;
}
