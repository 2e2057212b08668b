// Reading every recording of an archive again, to know that it is still what was imported.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isFault, type Media } from "../call-store.ts";
import { proveContent } from "../media/fingerprint.ts";
import { openMediaFile } from "../media/media-folder.ts";
import { MEDIA } from "../media/media-path.ts";
import { openArchiveToKeep } from "./open-archive.ts";
import type { Damage, OnProgress } from "../port/maintenance.ts";
import { listReferencedMedia } from "./referenced-media.ts";
import { EVERY_ID } from "../sqlite/scan.ts";
import { findStrayFiles, type StrayFiles } from "./stray-files.ts";

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
  readonly onProgress?: OnProgress | undefined;
  /** Whether files that were never finished are removed; they are listed all the same. */
  readonly removesLeftovers?: boolean;
}): Promise<MediaReport> {
  const { directory, onProgress = () => {}, removesLeftovers = false } = options;
  using archive = await openArchiveToKeep(directory);
  const referenced = listReferencedMedia(archive.database, EVERY_ID);
  const damages: Damage[] = [];
  let bytesDone = 0;
  const report = (bytes: number) => {
    bytesDone += bytes;
    onProgress({ step: "recordings", bytesDone, bytesTotal: referenced.bytes });
  };

  for (const reference of referenced) {
    const { media: file } = reference;
    const outcome = await verify(directory, file, report);
    if ("fault" in outcome) damages.push({ ...reference, ...outcome });
    else if (archive.isWritable && outcome.version !== file.version)
      remember(archive.database, file.sha256, outcome.version);
  }
  const strays = await findStrayFiles(directory, referenced);
  if (removesLeftovers)
    for (const path of strays.leftovers) await rm(join(directory, path), { force: true });
  return { files: referenced.files, bytes: referenced.bytes, damages, ...strays };
}

async function verify(
  directory: string,
  file: Media,
  onRead: (bytes: number) => void,
): Promise<{ version: string } | { fault: string }> {
  try {
    await using handle = await openMediaFile(join(directory, MEDIA), file);
    return { version: await proveContent(handle, file, onRead) };
  } catch (error) {
    if (isFault(error, "damaged", "lost", "unavailable")) return { fault: error.message };
    throw error;
  }
}

/** Keeps that the file's content was right when the file had this fingerprint. */
export function remember(database: DatabaseSync, sha256: string, fingerprint: string): void {
  database.prepare("UPDATE media SET fingerprint = ? WHERE sha256 = ?").run(fingerprint, sha256);
}
