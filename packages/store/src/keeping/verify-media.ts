// Reading every recording of an archive again, to know that it is still what was imported.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { MediaDamaged } from "../call-store.ts";
import { proveContent } from "../media/fingerprint.ts";
import { openMediaFile } from "../media/media-files.ts";
import { MEDIA } from "../media/media-path.ts";
import { openArchiveToKeep } from "./open-archive.ts";
import type { OnProgress } from "./progress.ts";
import { listReferencedMedia, type ReferencedFile } from "./referenced-media.ts";
import { findStrayFiles, type StrayFiles } from "./stray-files.ts";

/** A recording that cannot be sent any more, and why. */
export interface Damage extends ReferencedFile {
  readonly fault: string;
}

export interface MediaReport extends StrayFiles {
  /** Files that records name; equal recordings are one file. */
  readonly files: number;
  readonly bytes: number;
  readonly damages: readonly Damage[];
}

/**
 * Hashes every file that a record of the archive in `directory` names, and remembers the good ones, so that the service
 * does not have to read them before it sends them. May run beside the service and imports. Throws `ArchiveError`.
 */
export async function verifyMedia(options: {
  readonly directory: string;
  readonly onProgress?: OnProgress;
  /** Whether files that were never finished are removed; they are listed all the same. */
  readonly removesLeftovers?: boolean;
}): Promise<MediaReport> {
  const { directory, onProgress = () => {}, removesLeftovers = false } = options;
  using archive = await openArchiveToKeep(directory);
  const referenced = listReferencedMedia(archive.database);
  const damages: Damage[] = [];
  let bytesDone = 0;
  const report = (bytes: number) => {
    bytesDone += bytes;
    onProgress({ step: "recordings", bytesDone, bytesTotal: referenced.bytes });
  };

  for (const file of referenced) {
    const outcome = await verify(directory, file, report);
    if ("fault" in outcome) damages.push({ ...file, ...outcome });
    else if (archive.isWritable && outcome.fingerprint !== file.fingerprint)
      remember(archive.database, file.sha256, outcome.fingerprint);
  }
  const strays = await findStrayFiles(directory, referenced);
  if (removesLeftovers)
    for (const path of strays.leftovers) await rm(join(directory, path), { force: true });
  return { files: referenced.files, bytes: referenced.bytes, damages, ...strays };
}

async function verify(
  directory: string,
  file: ReferencedFile,
  onRead: (bytes: number) => void,
): Promise<{ fingerprint: string } | { fault: string }> {
  try {
    await using handle = await openMediaFile(join(directory, MEDIA), file);
    return { fingerprint: await proveContent(handle, file, onRead) };
  } catch (error) {
    if (error instanceof MediaDamaged) return { fault: error.message };
    throw error;
  }
}

/** Keeps that the file's content was right when the file had this fingerprint. */
export function remember(database: DatabaseSync, sha256: string, fingerprint: string): void {
  database.prepare("UPDATE media SET fingerprint = ? WHERE sha256 = ?").run(fingerprint, sha256);
}
