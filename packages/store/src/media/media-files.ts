// The bytes of the recordings: a folder in which every file is named by the SHA-256 of its content, so that equal files
// are kept once and no name from outside ever becomes a path.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import {
  type Media,
  MediaDamaged,
  type MediaFiles,
  MediaRejected,
  type MediaSource,
} from "../call-store.ts";
import { createIntegrityCheck, toFingerprint } from "./fingerprint.ts";

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

/** Without a `directory` nothing is kept: `add` reads and hashes alone, for a dry run. */
export function createMediaFiles(directory: string | undefined): MediaFiles {
  const toPath = (sha256: string) => toMediaPath(directory ?? "", sha256);
  const checkIntegrity = createIntegrityCheck();
  return {
    add: async (source) => {
      if (directory === undefined) return await readSource(source, async () => {});
      const temporary = join(directory, `.${randomUUID()}.part`);
      try {
        const media = await copy(source, temporary);
        await mkdir(join(directory, media.sha256.slice(0, 2)), { recursive: true, mode: 0o700 });
        await rename(temporary, toPath(media.sha256));
        // Renaming changes the state, so it is asked for afterwards.
        const fingerprint = toFingerprint(await stat(toPath(media.sha256), { bigint: true }));
        return { ...media, fingerprint };
      } finally {
        await rm(temporary, { force: true });
      }
    },
    open: async (media) => {
      const file = await open(toPath(media.sha256)).catch((error: unknown) => {
        throw new MediaDamaged(`the file of recording ${media.sha256} cannot be opened`, {
          cause: error,
        });
      });
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
  const modifiedMs = "path" in source ? Math.floor((await stat(source.path)).mtimeMs) : Date.now();
  return { sha256: digest.digest("hex"), bytes, type: await toMediaType(head), modifiedMs };
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
