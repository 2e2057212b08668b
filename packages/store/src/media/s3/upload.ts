// Uploads recordings into a bucket. Each is read once for its digest and again for sending, complete or in parts.
import { createHash, type Hash } from "node:crypto";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { isFault, MediaRejected, StoreFault } from "../../port/faults.ts";
import type { Media, MediaSource } from "../../port/media.ts";
import { READ_AT_ONCE } from "../files.ts";
import { readSource } from "../read-source.ts";
import { type S3Client, toRefusal } from "./client.ts";
import {
  findState,
  type ObjectState,
  readState,
  toKey,
  toState,
  toVersion,
} from "./object-state.ts";
import { proveObject } from "./prove-object.ts";
import { readText } from "./xml.ts";

// S3 requires at least 5 MiB for a part, and allows at most 10,000 parts. Each incoming recording has one part in memory.
const PART_BYTES = 8 * 1024 * 1024;

/**
 * `MediaStore.put`. An object that is already there stays if it is intact. Equal contents that arrive in parallel are sent once.
 * Throws `MediaRejected` and `StoreFault`.
 */
export function createUploader(client: S3Client): (source: MediaSource) => Promise<Media> {
  const underWay = new Map<string, Promise<ObjectState>>();
  return async (source) => {
    const etag = createEtag();
    const media = await readSource(source, async (chunk) => etag.update(chunk));
    const put = async () =>
      (await findProved(client, media, etag.digest())) ?? (await upload(client, source, media));
    const state = underWay.get(media.sha256) ?? put();
    underWay.set(media.sha256, state);
    try {
      return { ...media, version: toVersion(await state) };
    } finally {
      underWay.delete(media.sha256);
    }
  };
}

/** The object, if it has this content. The ETag shows that, unless a customer key encrypts the object. */
async function findProved(
  client: S3Client,
  media: Media,
  etag: string,
): Promise<ObjectState | undefined> {
  const state = await findState(client, media.sha256);
  if (state === undefined || state.bytes !== media.bytes) return undefined;
  if (state.etag === etag) return state;
  return await proveObject(client, media, { state }).catch((error: unknown) => {
    if (!isFault(error, "damaged")) throw error;
    return undefined;
  });
}

/** The ETag that S3 computes for an upload in these parts, from their MD5. It protects nothing: SHA-256 signs each request. */
function createEtag() {
  const parts: Buffer[] = [];
  let md5: Hash | undefined;
  let bytes = 0;
  const end = () => {
    if (md5 !== undefined) parts.push(md5.digest());
    [md5, bytes] = [undefined, 0];
  };
  return {
    update: (chunk: Uint8Array) => {
      for (let rest = chunk; rest.length > 0;) {
        const some = rest.subarray(0, PART_BYTES - bytes);
        md5 = (md5 ?? createHash("md5")).update(some);
        bytes += some.length;
        rest = rest.subarray(some.length);
        if (bytes === PART_BYTES) end();
      }
    },
    digest: (): string => {
      end();
      const [only, ...more] = parts;
      if (only !== undefined && more.length === 0) return `"${only.toString("hex")}"`;
      const all = createHash("md5").update(Buffer.concat(parts));
      return `"${all.digest("hex")}-${parts.length}"`;
    },
  };
}

async function upload(client: S3Client, source: MediaSource, media: Media): Promise<ObjectState> {
  return media.bytes <= PART_BYTES
    ? await putWhole(client, source, media)
    : await putInParts(client, source, media);
}

async function putWhole(client: S3Client, source: MediaSource, media: Media): Promise<ObjectState> {
  for await (const body of readParts(source)) {
    if (toHash("sha256", body, "hex") !== media.sha256) throw changed(source);
    const answer = await client.send({
      method: "PUT",
      action: "s3:PutObject",
      key: toKey(media.sha256),
      headers: {
        ...toHeaders(body),
        "content-type": media.type,
        "x-amz-content-sha256": media.sha256,
      },
      body,
    });
    return toState(answer, media.bytes);
  }
  throw changed(source);
}

async function putInParts(
  client: S3Client,
  source: MediaSource,
  media: Media,
): Promise<ObjectState> {
  const key = toKey(media.sha256);
  const uploadId = await beginUpload(client, key, { "content-type": media.type });
  try {
    const query = { uploadId };
    const parts: string[] = [];
    const digest = createHash("sha256");
    for await (const body of readParts(source)) {
      digest.update(body);
      const partNumber = String(parts.length + 1);
      const answer = await client.send({
        method: "PUT",
        action: "s3:PutObject",
        key,
        query: { ...query, partNumber },
        headers: toHeaders(body),
        body,
      });
      parts.push(
        `<Part><PartNumber>${partNumber}</PartNumber><ETag>${answer.headers.etag}</ETag></Part>`,
      );
    }
    if (digest.digest("hex") !== media.sha256) throw changed(source);
    await complete(client, { key, uploadId, parts });
  } catch (error) {
    // An upload that cannot be aborted now is listed as a leftover.
    await abortUpload(client, key, uploadId).catch(() => {});
    throw error;
  }
  return await readState(client, media);
}

/** Returns the id of the upload. */
export async function beginUpload(
  client: S3Client,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const query = { uploads: "" };
  const { body } = await client.send({
    method: "POST",
    action: "s3:PutObject",
    key,
    query,
    headers,
  });
  const uploadId = readText(body, "UploadId");
  if (uploadId === undefined)
    throw new StoreFault("unavailable", `${client.bucket.name} begins no upload in parts`);
  return uploadId;
}

/** An upload that does not exist counts as aborted. */
export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  const action = "s3:AbortMultipartUpload";
  try {
    await client.send({ method: "DELETE", action, key, query: { uploadId } });
  } catch (error) {
    if (!isFault(error, "lost")) throw error;
  }
}

async function complete(
  client: S3Client,
  { key, uploadId, parts }: { key: string; uploadId: string; parts: readonly string[] },
): Promise<void> {
  const body = Buffer.from(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`,
  );
  const request = {
    method: "POST",
    action: "s3:PutObject",
    key,
    query: { uploadId },
    body,
  } as const;
  const answer = await client.send(request).catch((error: unknown) => {
    // If a response was lost, the upload may be complete and unknown by now: the state of the object shows it.
    if (toRefusal(error)?.code !== "NoSuchUpload") throw error;
  });
  // S3 may respond 200 before it knows the result.
  const code = readText(answer?.body ?? "", "Code");
  if (code !== undefined)
    throw new StoreFault(
      "unavailable",
      `${client.bucket.name} cannot put the parts together: ${code}`,
    );
}

/** Buckets with object lock require `Content-MD5`. */
function toHeaders(body: Uint8Array): Record<string, string> {
  return { "content-md5": toHash("md5", body, "base64") };
}

function toHash(kind: "md5" | "sha256", body: Uint8Array, form: "hex" | "base64"): string {
  return createHash(kind).update(body).digest(form);
}

/** Reuses one buffer: each part must be consumed before the next. */
async function* readParts(source: MediaSource): AsyncGenerator<Uint8Array> {
  if (!("path" in source)) {
    for (let at = 0; at < source.content.length; at += PART_BYTES)
      yield source.content.subarray(at, at + PART_BYTES);
    return;
  }
  await using file = await open(source.path, READ_AT_ONCE).catch((cause: unknown) => {
    throw changed(source, { cause });
  });
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafeSlow(Math.min(size + 1, PART_BYTES));
  for (;;) {
    let filled = 0;
    for (let read; filled < buffer.length; filled += read) {
      read = (await file.read(buffer, filled)).bytesRead;
      if (read === 0) break;
    }
    if (filled > 0) yield buffer.subarray(0, filled);
    if (filled < buffer.length) return;
  }
}

function changed(source: MediaSource, options?: ErrorOptions): MediaRejected {
  const name = "path" in source ? basename(source.path) : source.name;
  return new MediaRejected(`${name} was changed while it was read`, options);
}
