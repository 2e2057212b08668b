// Files of a media store that no record names.
import type { StoredMedia } from "../port/media.ts";

export interface StrayMedia {
  /** Recordings that no record names. A running import has some; they get their records with the next batch. */
  readonly unreferenced: readonly StoredMedia[];
  /** Unfinished files of interrupted imports and backups. They are never read. */
  readonly leftovers: readonly StoredMedia[];
}

// A file in progress was written to within the last hour.
export const LEFT_AFTER_MS = 3_600_000;

/** An unfinished file may be in use if it was written to within `leftAfterMs`, default an hour. */
export async function findStrayMedia(
  stored: AsyncIterable<StoredMedia>,
  isReferenced: (sha256: string) => boolean | Promise<boolean>,
  leftAfterMs = LEFT_AFTER_MS,
): Promise<StrayMedia> {
  const unreferenced: StoredMedia[] = [];
  const leftovers: StoredMedia[] = [];
  for await (const one of stored)
    if (one.isUnfinished) {
      if (one.modifiedMs <= Date.now() - leftAfterMs) leftovers.push(one);
    } else if (one.sha256 === undefined || !(await isReferenced(one.sha256)))
      unreferenced.push(one);
  return { unreferenced, leftovers };
}

/** The same list. When it has been read, `names` has the names of these contents. */
export function watchNames(stored: AsyncIterable<StoredMedia>, sha256s: ReadonlySet<string>) {
  const names: string[] = [];
  const watch = async function* (): AsyncGenerator<StoredMedia> {
    for await (const one of stored) {
      if (one.sha256 !== undefined && sha256s.has(one.sha256)) names.push(one.name);
      yield one;
    }
  };
  return { names, stored: watch() };
}
