// Files of a media store that belong to no record.
import type { StoredMedia } from "../port/media.ts";

export interface StrayMedia {
  /** Recordings that no record names. An import that is under way has some, which get their records with the next batch. */
  readonly unreferenced: readonly StoredMedia[];
  /** Unfinished files of interrupted imports and backups. Nothing ever reads it. */
  readonly leftovers: readonly StoredMedia[];
}

// A file in progress was written to within the hour.
export const LEFT_AFTER_MS = 3_600_000;

/** An unfinished file that was written to within `leftAfterMs`, default an hour, may be in use. */
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

/** The same list; when it has been read, `names` has what these contents are called there. */
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
