// Stores the bytes of recordings in a directory. Each file is named by the SHA-256 of its content, so equal files are stored once
// and no external name ever becomes a path. Linked files stay where they are.
import type { Dirent } from "node:fs";
import { access, type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MediaRejected, StoreFault } from "../port/faults.ts";
import type {
  ByteRange,
  Media,
  MediaSource,
  MediaStore,
  OpenMedia,
  StoredMedia,
} from "../port/media.ts";
import { createIntegrityCheck, proveContent, readFingerprint } from "./fingerprint.ts";
import { createFolderNotes, NOTE_PREFIX } from "./notes.ts";
import { isUnfinished, type MediaPlace, toMediaFile, toMediaPath } from "./media-path.ts";
import { makeFolder, READ_AT_ONCE, syncFolder } from "./files.ts";
import { readSource } from "./read-source.ts";
import { createMove, removeLeft, takeIn } from "./take-in.ts";

/**
 * Throws `StoreFault` if the file is missing or cannot be opened, and the system's error if too many files are open. Whether it is a
 * regular file shows when its content is verified.
 */
export async function openMediaFile(directory: string, media: MediaPlace): Promise<FileHandle> {
  return await open(toMediaFile(directory, media), READ_AT_ONCE).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EMFILE" || error.code === "ENFILE") throw error;
      const what = media.location === undefined ? "file" : "linked file";
      throw new StoreFault(
        error.code === "ENOENT" ? "lost" : "unavailable",
        `the ${what} of recording ${media.sha256} cannot be opened`,
        { cause: error },
      );
    },
  );
}

/** For a dry run of an import into `store`: reads and hashes the sources, and stores nothing. */
export function createHashingStore({ ledger: _ledger, ...store }: MediaStore): MediaStore {
  const hash = (source: MediaSource) => readSource(source, async () => {});
  return { ...store, put: hash, ...(store.link && { link: hash }) };
}

export function createMediaFolder(directory: string): MediaStore {
  const checkIntegrity = createIntegrityCheck();
  const syncName = createNameSync(directory);
  const moveIn = createMove();
  let cleaned: Promise<void> | undefined;
  return {
    put: async (source) => {
      await makeFolder(directory);
      await (cleaned ??= removeLeft(directory));
      const media = await takeIn(directory, source, moveIn);
      await syncName(media.sha256);
      return media;
    },
    link: (source) => link(directory, source),
    open: async (media, range = { first: 0, last: media.bytes - 1 }) => {
      const file = await openMediaFile(directory, media);
      await checkIntegrity(file, media).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      return toOpenMedia(file, media, range);
    },
    delete: async (name) => {
      await rm(SHA256.test(name) ? toMediaPath(directory, name) : toListed(directory, name), {
        force: true,
      });
      return undefined;
    },
    list: () => listMedia(directory),
    verify: async (media, onRead) => {
      await using file = await openMediaFile(directory, media);
      return { ...media, version: await proveContent(file, media, onRead) };
    },
    reach: async () => {
      await access(directory).catch((cause: unknown) => {
        throw new StoreFault("unavailable", `${directory} cannot be reached`, { cause });
      });
    },
    notes: createFolderNotes(directory),
  };
}

const SHA256 = /^[0-9a-f]{64}$/;

function toOpenMedia(file: FileHandle, { sha256 }: Media, { first, last }: ByteRange): OpenMedia {
  let position = first;
  return {
    read: async (buffer) => {
      const wanted = Math.min(buffer.length, last + 1 - position);
      const { bytesRead } = await file.read(buffer, 0, wanted, position);
      if (bytesRead < wanted)
        throw new StoreFault(
          "damaged",
          `the file of recording ${sha256} became shorter while it was sent`,
        );
      position += bytesRead;
      return bytesRead;
    },
    close: () => file.close(),
  };
}

/** Throws `StoreFault` if a directory cannot be read. */
async function* listMedia(directory: string): AsyncGenerator<StoredMedia> {
  for (const entry of await listFolder(directory)) {
    if (entry.name.startsWith(NOTE_PREFIX)) continue;
    const names = entry.isDirectory() ? await listFolder(join(directory, entry.name)) : [entry];
    for (const { name } of names) {
      const below = entry.isDirectory() ? join(entry.name, name) : name;
      const found = await stat(join(directory, below)).catch(() => undefined); // deleted meanwhile
      if (found === undefined) continue;
      const { size: bytes, mtimeMs: modifiedMs } = found;
      const sha256 = SHA256.test(name) ? { sha256: name } : {};
      const isOpen = isUnfinished(name);
      yield {
        name: join(basename(directory), below),
        ...sha256,
        bytes,
        modifiedMs,
        isUnfinished: isOpen,
      };
    }
  }
}

// A missing directory counts as empty.
async function listFolder(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new StoreFault("unavailable", `${folder} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
}

// Rejects names that lead out of the directory.
function toListed(directory: string, name: string): string {
  const path = join(dirname(directory), name);
  if (!path.startsWith(join(directory, "/"))) throw new Error(`${name} is no recording's name`);
  return path;
}

// A record must not name a file whose directory entry a power loss could still remove.
function createNameSync(directory: string): (sha256: string) => Promise<void> {
  const settled = new Set<string>();
  return async (sha256) => {
    const folder = dirname(toMediaPath(directory, sha256));
    await syncFolder(folder);
    if (!settled.has(folder)) await syncFolder(directory);
    settled.add(folder);
  };
}

// If the archive already has a copy of the content, it uses the copy, which nobody else can move away. The copy is verified when it is
// read.
async function link(
  directory: string,
  source: MediaSource & { readonly path: string },
): Promise<Media> {
  const { path } = source;
  const version = await readFingerprint(path);
  const media = await readSource(source, async () => {});
  const copied = await stat(toMediaPath(directory, media.sha256)).catch(() => undefined);
  if (copied?.size === media.bytes) return media;
  if ((await readFingerprint(path)) !== version)
    throw new MediaRejected(`${basename(path)} was changed while it was read`);
  return { ...media, version, location: path };
}
