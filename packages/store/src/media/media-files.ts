// The bytes of the recordings: a folder in which every file is named by the SHA-256 of its content, so that equal files
// are kept once and no name from outside ever becomes a path.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import {
  type Media,
  MediaDamaged,
  type MediaFiles,
  MediaRejected,
  type MediaSource,
} from "../call-store.ts";
import { createIntegrityCheck, toFingerprint } from "./fingerprint.ts";

/** The folder of the recordings in an archive's folder. */
export const MEDIA = "media";

const UNKNOWN_TYPE = "application/octet-stream";

// What file-type needs to tell every format it knows.
const SNIFFED_BYTES = 4_100;

// The names that players know, where the detector has another (D16).
const FAMILIAR_TYPES: Readonly<Record<string, string>> = {
  "audio/vnd.wave": "audio/wav",
  "audio/wave": "audio/wav",
};

export function toMediaPath(directory: string, sha256: string): string {
  return join(directory, sha256.slice(0, 2), sha256);
}

/** What `takeIn` writes into until a file is whole; one that is left was cut off with its program. */
export function isUnfinished(name: string): boolean {
  return name.startsWith(".") && name.endsWith(".part");
}

/** Throws `MediaDamaged` when there is no such file, or none that can be opened. */
export async function openMediaFile(directory: string, sha256: string): Promise<FileHandle> {
  return await open(toMediaPath(directory, sha256)).catch((error: unknown) => {
    throw new MediaDamaged(`the file of recording ${sha256} cannot be opened`, { cause: error });
  });
}

/** Without a `directory` nothing is kept: `add` reads and hashes alone, for a dry run. */
export function createMediaFiles(directory: string | undefined): MediaFiles {
  const checkIntegrity = createIntegrityCheck();
  return {
    add: async (source) => {
      if (directory === undefined) return await readSource(source, async () => {});
      return await takeIn(directory, source);
    },
    open: async (media) => {
      const file = await openMediaFile(directory ?? "", media.sha256);
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

/**
 * Copies the source into the folder, whole or not at all. With `expected` only what has this SHA-256 is kept. Throws
 * `MediaRejected` for what is no usable file, `MediaDamaged` for another content than expected.
 */
export async function takeIn(
  directory: string,
  source: MediaSource,
  expected?: string,
): Promise<Media> {
  const temporary = join(directory, `.${randomUUID()}.part`);
  try {
    const media = await copy(source, temporary);
    const { sha256 } = media;
    if (expected !== undefined && sha256 !== expected)
      throw new MediaDamaged(`the file of recording ${expected} has another content than imported`);
    const target = toMediaPath(directory, sha256);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(temporary, target);
    // Renaming changes the state, so it is asked for afterwards.
    return { ...media, fingerprint: toFingerprint(await stat(target, { bigint: true })) };
  } finally {
    await rm(temporary, { force: true });
  }
}

async function copy(source: MediaSource, target: string): Promise<Media> {
  const file = await open(target, "wx", 0o600);
  try {
    const media = await readSource(source, (chunk) => file.writeFile(chunk));
    await file.sync();
    return media;
  } finally {
    await file.close();
  }
}

async function readSource(
  source: MediaSource,
  keep: (chunk: Uint8Array) => Promise<void>,
): Promise<Media> {
  const name = "path" in source ? basename(source.path) : source.name;
  const digest = createHash("sha256");
  let head = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of "path" in source ? readFile(source.path) : [source.content]) {
    digest.update(chunk);
    bytes += chunk.length;
    if (head.length < SNIFFED_BYTES) head = Buffer.concat([head, chunk.subarray(0, SNIFFED_BYTES)]);
    await keep(chunk);
  }
  if (bytes === 0) throw new MediaRejected(`${name} is empty`);
  return {
    sha256: digest.digest("hex"),
    bytes,
    type: await toMediaType(head),
    modifiedMs: await readTimeMs(source),
  };
}

// A clock elsewhere may have been ahead; Last-Modified must not be (RFC 9110, section 8.8.2.1).
async function readTimeMs(source: MediaSource): Promise<number> {
  const nowMs = Date.now();
  return "path" in source ? Math.min(Math.floor((await stat(source.path)).mtimeMs), nowMs) : nowMs;
}

async function* readFile(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: 512 * 1024 });
  } catch (error) {
    throw new MediaRejected(`${basename(path)} cannot be read`, { cause: error });
  }
}

async function toMediaType(head: Uint8Array): Promise<string> {
  const type = (await fileTypeFromBuffer(head))?.mime ?? UNKNOWN_TYPE;
  return FAMILIAR_TYPES[type] ?? type;
}
