// A recording that comes in, read once: its digests, its length, its media type, its time and its sound.
import { createHash, type Hash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { createInspector } from "@call-media/sound";
import { type Media, MediaRejected, type MediaSource } from "../port/index.ts";
import { DIGEST_KINDS, type DigestKind } from "../values/digests.ts";
import { READ_AT_ONCE } from "./files.ts";
import { createHead, toSound, UNKNOWN_TYPE } from "./non-audio.ts";

// Larger pieces are read no quicker.
const MAX_PIECE_BYTES = 512 * 1024;

// The names that players know, where the detector has another (D16).
const FAMILIAR_TYPES: Readonly<Record<string, string>> = {
  "audio/vnd.wave": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/x-m4a": "audio/mp4",
};

/**
 * Each piece is given to `keep` and waited for. Throws `MediaRejected` for a source that is empty, cannot be read, or has another
 * digest than it is said to have.
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

/** Of those that the source gives, but for the SHA-256, which every file has. */
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

// A clock elsewhere may have been ahead; Last-Modified must not be (RFC 9110, section 8.8.2.1).
async function readTimeMs(source: MediaSource): Promise<number> {
  const nowMs = Date.now();
  return "path" in source ? Math.min(Math.floor((await stat(source.path)).mtimeMs), nowMs) : nowMs;
}

/** In one piece of memory: each is to be used before the next. */
async function* readFile(path: string): AsyncGenerator<Buffer> {
  try {
    await using file = await open(path, READ_AT_ONCE);
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is no file`);
    // To allocate more than a file has takes longer than to read it.
    const buffer = Buffer.allocUnsafeSlow(Math.min(stats.size + 1, MAX_PIECE_BYTES));
    for (let bytes; (bytes = (await file.read(buffer)).bytesRead) > 0;)
      yield buffer.subarray(0, bytes);
  } catch (error) {
    throw new MediaRejected(`${basename(path)} cannot be read`, { cause: error });
  }
}

async function toMediaType(head: Uint8Array, declared = UNKNOWN_TYPE): Promise<string> {
  // Loaded when a file comes: most commands and services add none.
  const { fileTypeFromBuffer } = await import("file-type");
  const type = (await fileTypeFromBuffer(head))?.mime ?? declared;
  return FAMILIAR_TYPES[type] ?? type;
}
