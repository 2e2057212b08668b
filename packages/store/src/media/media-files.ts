// The bytes of the recordings: a folder in which every file is named by the SHA-256 of its content, so that equal files
// are kept once and no name from outside ever becomes a path; and linked files, which stay where they are.
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type Media,
  MediaDamaged,
  type MediaFiles,
  MediaRejected,
  type MediaSource,
} from "../call-store.ts";
import { toWriteFailure } from "../sqlite/files/full-disk.ts";
import { createIntegrityCheck, toFingerprint } from "./fingerprint.ts";
import { readSource } from "./read-source.ts";
import { syncFolder } from "./sync-folder.ts";

/** The folder of the recordings in an archive's folder. */
export const MEDIA = "media";

export function toMediaPath(directory: string, sha256: string): string {
  return join(directory, sha256.slice(0, 2), sha256);
}

/** Where the file of a recording lies, in the folder or linked. */
export function toMediaFile(directory: string, { sha256, path }: StoredMedia): string {
  return path ?? toMediaPath(directory, sha256);
}

type StoredMedia = Pick<Media, "sha256" | "path">;

/** What `takeIn` writes into until a file is whole; one that is left was cut off with its program. */
export function isUnfinished(name: string): boolean {
  return name.startsWith(".") && name.endsWith(".part");
}

/** Throws `MediaDamaged` when there is no such file, or none that can be opened. */
export async function openMediaFile(directory: string, media: StoredMedia): Promise<FileHandle> {
  return await open(toMediaFile(directory, media)).catch((error: unknown) => {
    const what = media.path === undefined ? "file" : "linked file";
    throw new MediaDamaged(`the ${what} of recording ${media.sha256} cannot be opened`, {
      cause: error,
    });
  });
}

/** Without a `directory` nothing is kept: `add` reads and hashes alone, for a dry run. */
export function createMediaFiles(directory: string | undefined): MediaFiles {
  const checkIntegrity = createIntegrityCheck();
  const syncName = createNameSync(directory ?? "");
  return {
    add: async (source) => {
      if (directory === undefined) return await readSource(source, async () => {});
      if ("path" in source && source.isLinked === true) return await link(directory, source);
      const media = await takeIn(directory, source);
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

/** Copies the source into the folder, whole or not at all. Throws `MediaRejected`, and `NotWritten` on a full disk. */
export async function takeIn(directory: string, source: MediaSource): Promise<Media> {
  const temporary = join(directory, `.${randomUUID()}.part`);
  try {
    const media = await copy(source, temporary);
    const { sha256 } = media;
    const target = toMediaPath(directory, sha256);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(temporary, target);
    // Renaming changes the state, so it is asked for afterwards.
    return { ...media, fingerprint: toFingerprint(await stat(target, { bigint: true })) };
  } finally {
    await rm(temporary, { force: true });
  }
}

// Of a content that the archive has a copy of, the copy serves: it cannot be moved away by somebody else. Whether it is
// still right is found out when it is asked for.
async function link(
  directory: string,
  source: MediaSource & { readonly path: string },
): Promise<Media> {
  const { path } = source;
  const before = await stat(path, { bigint: true });
  const media = await readSource(source, async () => {});
  const copied = await stat(toMediaPath(directory, media.sha256)).catch(() => undefined);
  if (copied?.size === media.bytes) return media;
  const fingerprint = toFingerprint(before);
  if (toFingerprint(await stat(path, { bigint: true })) !== fingerprint)
    throw new MediaRejected(`${basename(path)} was changed while it was read`);
  return { ...media, fingerprint, path };
}

async function copy(source: MediaSource, target: string): Promise<Media> {
  const file = await open(target, "wx", 0o600);
  try {
    const media = await readSource(source, (chunk) => file.writeFile(chunk));
    await file.sync();
    return media;
  } catch (error) {
    throw toWriteFailure(error, dirname(target));
  } finally {
    await file.close();
  }
}
