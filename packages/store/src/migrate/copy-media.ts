// Copies the contents that records name from one media store to another, in the order of their digests.
import { mkdtemp, open, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFault, MediaRejected } from "../port/faults.ts";
import type { Damage, Maintenance, OnProgress, Reference } from "../port/maintenance.ts";
import type { Media, MediaStore } from "../port/media.ts";

export interface CopyMedia {
  readonly from: Maintenance;
  /** The archive that has the records already. */
  readonly to: Maintenance;
  readonly onProgress: OnProgress;
}

export interface CopiedMedia {
  readonly mediaFiles: number;
  readonly mediaBytes: number;
  readonly damages: readonly Damage[];
}

const AT_ONCE = 4;

/** A content whose state `to` knows was copied before. */
export async function copyMedia({ from, to, onProgress }: CopyMedia): Promise<CopiedMedia> {
  await using referenced = await to.referencedMedia();
  await using folder = await createFolder();
  const { files: mediaFiles, bytes: mediaBytes } = referenced;
  const locations = await listLinked(from);
  const damages: Damage[] = [];
  let bytesDone = 0;
  const copy = async (reference: Reference, file: string) => {
    const { media } = reference;
    try {
      if (media.version === undefined) await to.noteVerified([await move(reference, file)]);
    } catch (error) {
      const isOfContent = error instanceof MediaRejected || isFault(error, "damaged", "lost");
      if (!isOfContent) throw error;
      damages.push({ ...reference, fault: error.message });
    }
    onProgress({
      step: "recordings",
      bytesDone: (bytesDone += media.bytes),
      bytesTotal: mediaBytes,
    });
  };
  const move = async ({ media, filename }: Reference, file: string): Promise<Media> => {
    await writeFile(from.media, { ...media, location: locations.get(media.sha256) }, file);
    const { sha256, type } = media;
    const { version, sound } = await to.media.put({ path: file, filename, sha256, type });
    // A disk may have changed it since, so only the copy counts.
    return { ...(await to.media.verify({ ...media, version })), sound };
  };
  const rows = referenced[Symbol.asyncIterator]();
  const work = async (worker: number) => {
    for (let row = await rows.next(); row.done !== true; row = await rows.next())
      await copy(row.value, join(folder.path, String(worker)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => work(worker)));
  return { mediaFiles, mediaBytes, damages };
}

/** Where linked recordings are. Only their records say that. */
async function listLinked(from: Maintenance): Promise<ReadonlyMap<string, string>> {
  await using referenced = await from.referencedMedia();
  const locations = new Map<string, string>();
  for await (const { media } of referenced)
    if (media.location !== undefined) locations.set(media.sha256, media.location);
  return locations;
}

// A media store needs a file: it may have to read a content twice.
async function createFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(await realpath(tmpdir()), "call-media-migrate-"));
  const remove = () => rm(path, { recursive: true, force: true });
  return { path, [Symbol.asyncDispose]: remove };
}

const BUFFER_BYTES = 1024 * 1024;

async function writeFile(from: MediaStore, media: Media, path: string): Promise<void> {
  const source = await from.open(media);
  try {
    await using file = await open(path, "w", 0o600);
    const buffer = new Uint8Array(Math.min(BUFFER_BYTES, Math.max(media.bytes, 1)));
    for (let read = await source.read(buffer); read > 0; read = await source.read(buffer))
      await file.writeFile(buffer.subarray(0, read));
  } finally {
    await source.close();
  }
}
