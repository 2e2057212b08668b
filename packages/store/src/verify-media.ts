// Reading every recording of an archive again, to know that it is still what was imported.
import { isFault } from "./port/faults.ts";
import type { Damage, Maintenance, OnProgress } from "./port/maintenance.ts";
import type { Media, StoredMedia } from "./port/media.ts";

export interface MediaReport extends StrayMedia {
  /** Contents that records name; equal recordings are one. */
  readonly files: number;
  readonly bytes: number;
  readonly damages: readonly Damage[];
}

export interface StrayMedia {
  /** Recordings that no record names. An import that is under way has some, which get their records with the next batch. */
  readonly unreferenced: readonly string[];
  /** What was never finished: an import or a backup was cut off. Nothing ever reads it. */
  readonly leftovers: readonly string[];
}

export interface VerifyOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Whether what was never finished is deleted; it is listed all the same. */
  readonly removesLeftovers?: boolean | undefined;
}

// Keeping that they were right costs a write each time.
const NOTED_AT_ONCE = 200;

/**
 * Reads every content that a record of the archive names, and keeps which are right, so that the service does not have to
 * read them before it sends them. May run beside the service and imports. Throws `ArchiveError`.
 */
export async function verifyMedia(
  archive: Maintenance,
  { onProgress = () => {}, removesLeftovers = false }: VerifyOptions = {},
): Promise<MediaReport> {
  await using referenced = await archive.referencedMedia();
  const { files, bytes } = referenced;
  const damages: Damage[] = [];
  let verified: Media[] = [];
  let bytesDone = 0;
  const onRead = (read: number) =>
    onProgress({ step: "recordings", bytesDone: (bytesDone += read), bytesTotal: bytes });

  for await (const reference of referenced) {
    const { media } = reference;
    try {
      const found = await archive.media.verify(media, onRead);
      if (found.version !== media.version) verified.push(found);
    } catch (error) {
      if (!isFault(error, "damaged", "lost", "unavailable")) throw error;
      damages.push({ ...reference, fault: error.message });
    }
    if (verified.length < NOTED_AT_ONCE) continue;
    await archive.noteVerified(verified);
    verified = [];
  }
  if (verified.length > 0) await archive.noteVerified(verified);
  const strays = await findStrayMedia(archive.media.list(), referenced);
  if (removesLeftovers) for (const name of strays.leftovers) await archive.media.delete(name);
  return { files, bytes, damages, ...strays };
}

// What is still being written was written to within the hour.
const LEFT_AFTER_MS = 3_600_000;

/** An unfinished one that was written to within `leftAfterMs`, default an hour, may be somebody's work. */
export async function findStrayMedia(
  stored: AsyncIterable<StoredMedia>,
  referenced: { readonly has: (sha256: string) => boolean },
  leftAfterMs = LEFT_AFTER_MS,
): Promise<StrayMedia> {
  const strays = { unreferenced: [] as string[], leftovers: [] as string[] };
  for await (const { name, sha256, isUnfinished, modifiedMs } of stored)
    if (!isUnfinished) {
      if (sha256 === undefined || !referenced.has(sha256)) strays.unreferenced.push(name);
    } else if (modifiedMs <= Date.now() - leftAfterMs) strays.leftovers.push(name);
  return strays;
}
