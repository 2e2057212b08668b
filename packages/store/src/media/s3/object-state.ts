// The object that a bucket has under the digest of a recording, and its state.
import { StoreFault } from "../../port/faults.ts";
import type { Media } from "../../port/media.ts";
import { isMissing, type S3Answer, type S3Client, toRefusal } from "./client.ts";

/** An object as S3 knows it. Each write changes its ETag, unless the bytes are the same, and its version, if the bucket keeps versions. */
export interface ObjectState {
  /** With its quotation marks. */
  readonly etag: string;
  readonly bytes: number;
  readonly versionId: string | undefined;
}

/** The same path as in a directory, so that any tool can copy one to the other. */
export function toKey(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256}`;
}

const KEY = /^([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;

/** The digest in a key without the prefix; undefined for keys that are not of recordings. */
export function parseKey(key: string): string | undefined {
  return KEY.exec(key)?.[2];
}

/** `Media.version` of an object. */
export function toVersion({ etag, bytes, versionId }: ObjectState): string {
  return `${etag} ${bytes} ${versionId ?? ""}`.trim();
}

/** Undefined where the recording was last seen in another media store. */
export function readEtag({ version = "" }: Pick<Media, "version">): string | undefined {
  return /^("[^"]*") \d+/.exec(version)?.[1];
}

export function toState({ headers }: Pick<S3Answer, "headers">, bytes: number): ObjectState {
  const versionId = headers["x-amz-version-id"];
  return {
    etag: headers.etag ?? "",
    bytes,
    versionId: typeof versionId === "string" ? versionId : undefined,
  };
}

/** Undefined if the object or the bucket does not exist. Throws `StoreFault`. */
export async function findState(
  client: S3Client,
  sha256: string,
): Promise<ObjectState | undefined> {
  try {
    const request = { method: "HEAD", key: toKey(sha256), action: "s3:GetObject" } as const;
    const answer = await client.send(request);
    return toState(answer, Number(answer.headers["content-length"]));
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === undefined || !isMissing(refusal)) throw error;
    return undefined;
  }
}

/** Throws `StoreFault`; `damaged` for an object of another length. */
export async function readState(
  client: S3Client,
  { sha256, bytes }: Pick<Media, "sha256" | "bytes">,
): Promise<ObjectState> {
  const state = await findState(client, sha256);
  if (state === undefined) throw await explainMissing(client, sha256);
  if (state.bytes === bytes) return state;
  throw new StoreFault(
    "damaged",
    `recording ${sha256} in ${client.bucket.name} has ${state.bytes} bytes, ${bytes} were imported`,
  );
}

// The response to a HEAD has no body, so it does not tell a missing bucket from a missing object.
async function explainMissing(client: S3Client, sha256: string): Promise<unknown> {
  const lost = new StoreFault("lost", `there is no recording ${sha256} in ${client.bucket.name}`);
  const headers = { range: "bytes=0-0" };
  const request = { method: "GET", key: toKey(sha256), headers, action: "s3:GetObject" } as const;
  return await client.send(request).then(
    () => lost,
    (error: unknown) => {
      const refusal = toRefusal(error);
      return refusal !== undefined && isMissing(refusal) ? lost : error;
    },
  );
}
