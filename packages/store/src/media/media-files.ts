// The bytes of the recordings: a folder in which every file is named by the SHA-256 of its content, so that equal files
// are kept once and no name from outside ever becomes a path; and linked files, which stay where they are.
import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  type Media,
  MediaDamaged,
  type MediaFiles,
  MediaRejected,
  type MediaSource,
} from "../call-store.ts";
import { createIntegrityCheck, readFingerprint } from "./fingerprint.ts";
import { type StoredMedia, toMediaFile, toMediaPath } from "./media-path.ts";
import { READ_AT_ONCE } from "./read-at-once.ts";
import { readSource } from "./read-source.ts";
import { syncFolder } from "./sync-folder.ts";
import { createMove, takeIn } from "./take-in.ts";

/**
 * Throws `MediaDamaged` when there is no such file, or none that can be opened, and what the system says when too many files are
 * open. That it is a file shows when it is proved.
 */
export async function openMediaFile(directory: string, media: StoredMedia): Promise<FileHandle> {
  return await open(toMediaFile(directory, media), READ_AT_ONCE).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EMFILE" || error.code === "ENFILE") throw error;
      const what = media.path === undefined ? "file" : "linked file";
      throw new MediaDamaged(`the ${what} of recording ${media.sha256} cannot be opened`, {
        cause: error,
      });
    },
  );
}

/** Without a `directory` nothing is kept: `add` reads and hashes alone, for a dry run. */
export function createMediaFiles(directory: string | undefined): MediaFiles {
  const checkIntegrity = createIntegrityCheck();
  const syncName = createNameSync(directory ?? "");
  const moveIn = createMove();
  return {
    add: async (source) => {
      if (directory === undefined) return await readSource(source, async () => {});
      if ("path" in source && source.isLinked === true) return await link(directory, source);
      const media = await takeIn(directory, source, moveIn);
      await syncName(media.sha256);
      return media;
    },
    open: async (media) => {
      const file = await openMediaFile(directory ?? "", media);
      await checkIntegrity(file, media).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      return {
        read: async (buffer, position) =>
          (await file.read(buffer, 0, buffer.length, position)).bytesRead,
        close: () => file.close(),
      };
    },
  };
}

// A row must not come to name a file whose own name a loss of power then takes away.
function createNameSync(directory: string): (sha256: string) => Promise<void> {
  const settled = new Set<string>();
  return async (sha256) => {
    const folder = dirname(toMediaPath(directory, sha256));
    await syncFolder(folder);
    if (!settled.has(folder)) await syncFolder(directory);
    settled.add(folder);
  };
}

// Of a content that the archive has a copy of, the copy serves: it cannot be moved away by somebody else. Whether it is
// still right is found out when it is asked for.
async function link(
  directory: string,
  source: MediaSource & { readonly path: string },
): Promise<Media> {
  const { path } = source;
  const fingerprint = await readFingerprint(path);
  const media = await readSource(source, async () => {});
  const copied = await stat(toMediaPath(directory, media.sha256)).catch(() => undefined);
  if (copied?.size === media.bytes) return media;
  if ((await readFingerprint(path)) !== fingerprint)
    throw new MediaRejected(`${basename(path)} was changed while it was read`);
  return { ...media, fingerprint, path };
}
