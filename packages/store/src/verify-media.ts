// Reading every recording of an archive again, to know that it is still what was imported.
import { isFault } from "./port/faults.ts";
import { createHead, describeNonAudio } from "./media/non-audio.ts";
import type { Damage, Maintenance, OnProgress } from "./port/maintenance.ts";
import type { Media } from "./port/media.ts";
import { findStrayMedia } from "./values/stray-media.ts";

export interface MediaReport {
  /** Contents that records name; equal recordings are one. */
  readonly files: number;
  readonly bytes: number;
  readonly damages: readonly Damage[];
  /** Contents of which nothing is known, as their place could not be reached or read; `fault` says why. */
  readonly unchecked: readonly Damage[];
  /** Contents that are what was imported, but not audio; `fault` says what they are. */
  readonly nonAudio: readonly Damage[];
  /** Files of the media store that no record names, by their names there. */
  readonly unreferenced: readonly string[];
  /** The same of what was never finished. */
  readonly leftovers: readonly string[];
}

export interface VerifyOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Also deletes unfinished files; they are listed in any case. */
  readonly removesLeftovers?: boolean | undefined;
}

// Keeping that they were right costs a write each time.
const NOTED_AT_ONCE = 200;

/**
 * Reads every content that a record of the archive names, and stores which are right. So the service does not have to
 * read them before it sends them. May run while the service and imports run. Throws `ArchiveError`.
 */
export async function verifyMedia(
  archive: Maintenance,
  { onProgress = () => {}, removesLeftovers = false }: VerifyOptions = {},
): Promise<MediaReport> {
  await using referenced = await archive.referencedMedia();
  const { files, bytes } = referenced;
  const damages: Damage[] = [];
  const unchecked: Damage[] = [];
  const nonAudio: Damage[] = [];
  let verified: Media[] = [];
  let bytesDone = 0;
  for await (const reference of referenced) {
    const { media } = reference;
    const head = createHead();
    const onRead = (piece: Uint8Array) => {
      head.add(piece);
      onProgress({ step: "recordings", bytesDone: (bytesDone += piece.length), bytesTotal: bytes });
    };
    try {
      const found = await archive.media.verify(media, onRead);
      const fault = await describeNonAudio({ ...reference, ...media, head: head.toBytes() });
      if (fault !== undefined) nonAudio.push({ ...reference, fault });
      if (found.version !== media.version) verified.push(found);
    } catch (error) {
      if (!isFault(error, "damaged", "lost", "unavailable")) throw error;
      const list = isFault(error, "unavailable") ? unchecked : damages;
      list.push({ ...reference, fault: error.message });
    }
    if (verified.length < NOTED_AT_ONCE) continue;
    await archive.noteVerified(verified);
    verified = [];
  }
  if (verified.length > 0) await archive.noteVerified(verified);
  const strays = await findStrayMedia(archive.media.list(), (sha256) => referenced.has(sha256));
  const unreferenced = strays.unreferenced.map(({ name }) => name);
  const leftovers = strays.leftovers.map(({ name }) => name);
  if (removesLeftovers) for (const name of leftovers) await archive.media.delete(name);
  return { files, bytes, damages, unchecked, nonAudio, unreferenced, leftovers };
}
