// Reads an incoming recording once for its digests, length, media type, time and audio facts.
import { createHash, type Hash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { createInspector } from "@call-media/sound";
import { type Media, MediaRejected, type MediaSource } from "../port/index.ts";
import { DIGEST_KINDS, type DigestKind } from "../values/digests.ts";
import { READ_AT_ONCE } from "./files.ts";
import { createHead, toSound, UNKNOWN_TYPE } from "./non-audio.ts";

// Larger chunks do not read faster.
const MAX_PIECE_BYTES = 512 * 1024;

// The names that players know, for types that the detector names differently (D16).
const FAMILIAR_TYPES: Readonly<Record<string, string>> = {
  "audio/vnd.wave": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/x-m4a": "audio/mp4",
};

/**
 * Passes each chunk to `keep` and waits for it. Throws `MediaRejected` for a source that is empty, unreadable, or does not match its
 * stated digest.
 */
export async function readSource(
  source: MediaSource,
  keep: (chunk: Uint8Array) => Promise<void>,
): Promise<Media> {
  const name = "path" in source ? basename(source.path) : source.name;
  const digest = createHash("sha256");
  const others = createDigests(source);
  const head = createHead();
  const filename = source.filename ?? name;
  const inspector = createInspector({ filename, contentType: source.type });
  let bytes = 0;
  for await (const chunk of "path" in source ? readFile(source.path) : [source.content]) {
    digest.update(chunk);
    for (const [, other] of others) other.update(chunk);
    bytes += chunk.length;
    head.add(chunk);
    inspector.push(chunk);
    await keep(chunk);
  }
  if (bytes === 0) throw new MediaRejected(`${name} is empty`);
  const sha256 = digest.digest("hex");
  const found = others.map(([kind, other]) => [kind, other.digest("hex")] as const);
  checkDigests(name, source, [["sha256", sha256], ...found]);
  const type = await toMediaType(head.toBytes(), source.type);
  const heard = { head: head.toBytes(), bytes, filename, type };
  return {
    sha256,
    bytes,
    type,
    modifiedMs: await readTimeMs(source),
    sound: await toSound(inspector.end(), heard),
  };
}

/** Hashes for the digests that the source states, except the SHA-256, which every file has. */
function createDigests(source: MediaSource): readonly (readonly [DigestKind, Hash])[] {
  const given = DIGEST_KINDS.filter((kind) => kind !== "sha256" && source[kind] !== undefined);
  return given.map((kind) => [kind, createHash(kind)] as const);
}

function checkDigests(
  name: string,
  source: MediaSource,
  found: readonly (readonly [DigestKind, string])[],
): void {
  for (const [kind, digest] of found)
    if (source[kind] !== undefined && source[kind] !== digest)
      throw new MediaRejected(
        `${name} has another content than its ${kind} says: it has ${digest}`,
      );
}

// Another machine's clock may have been ahead, but Last-Modified must not lie in the future (RFC 9110, section 8.8.2.1).
async function readTimeMs(source: MediaSource): Promise<number> {
  const nowMs = Date.now();
  return "path" in source ? Math.min(Math.floor((await stat(source.path)).mtimeMs), nowMs) : nowMs;
}

/** Reuses one buffer: each chunk must be consumed before the next. */
async function* readFile(path: string): AsyncGenerator<Buffer> {
  try {
    await using file = await open(path, READ_AT_ONCE);
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is no file`);
    // Allocating more than the file's size takes longer than reading it.
    const buffer = Buffer.allocUnsafeSlow(Math.min(stats.size + 1, MAX_PIECE_BYTES));
    for (let bytes; (bytes = (await file.read(buffer)).bytesRead) > 0;)
      yield buffer.subarray(0, bytes);
  } catch (error) {
    throw new MediaRejected(`${basename(path)} cannot be read`, { cause: error });
  }
}

async function toMediaType(head: Uint8Array, declared = UNKNOWN_TYPE): Promise<string> {
  // Loaded with the first file: most commands and services add none.
  const { fileTypeFromBuffer } = await import("file-type");
  const type = (await fileTypeFromBuffer(head))?.mime ?? declared;
  return FAMILIAR_TYPES[type] ?? type;
}
