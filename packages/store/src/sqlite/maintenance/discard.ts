// Discards contents whose rows were rejected after they were stored.
import { ArchiveError, type MediaStore } from "../../port/index.ts";
import { openDatabase } from "../files/database.ts";
import { lockForPurging } from "../files/purge-lock.ts";

export interface DiscardingArchive {
  readonly directory: string;
  readonly media: Pick<MediaStore, "delete">;
}

/** See `Maintenance.discard`. */
export async function discard(
  { directory, media }: DiscardingArchive,
  sha256s: Iterable<string>,
): Promise<void> {
  using lock = lockIfAlone(directory);
  if (lock === undefined) return;
  using database = openDatabase(directory);
  const known = database.prepare("SELECT 1 FROM media WHERE sha256 = ?");
  for (const sha256 of sha256s) if (known.get(sha256) === undefined) await media.delete(sha256);
}

function lockIfAlone(directory: string): Disposable | undefined {
  try {
    return lockForPurging(directory);
  } catch (error) {
    if (error instanceof ArchiveError) return undefined;
    throw error;
  }
}
