// Lists an archive's objects in its bucket: recordings under the archive's keys, and incomplete uploads. Other objects are not listed.
import { isFault } from "../../port/faults.ts";
import type { StoredMedia } from "../../port/media.ts";
import { type S3Client, type S3Request, toRefusal } from "./client.ts";
import { parseKey } from "./object-state.ts";
import { listElements, readText } from "./xml.ts";

/** In the order of their digests, then the incomplete uploads. Throws `StoreFault`. */
export async function* listObjects(client: S3Client): AsyncGenerator<StoredMedia> {
  const { prefix } = client.bucket;
  const action = "s3:ListBucket";
  for await (const page of readPages(client, { action, query: { "list-type": "2", prefix } }))
    for (const object of listElements(page, "Contents")) {
      const name = readText(object, "Key") ?? "";
      const sha256 = parseKey(name.slice(prefix.length));
      const modifiedMs = Date.parse(readText(object, "LastModified") ?? "");
      const bytes = Number(readText(object, "Size"));
      if (sha256 !== undefined) yield { name, sha256, bytes, modifiedMs, isUnfinished: false };
    }
  yield* listUploads(client);
}

const UPLOAD = "?uploadId=";

// The list does not include the parts that were sent.
async function* listUploads(client: S3Client): AsyncGenerator<StoredMedia> {
  const { prefix } = client.bucket;
  const action = "s3:ListBucketMultipartUploads";
  try {
    for await (const page of readPages(client, { action, query: { uploads: "", prefix } }))
      for (const upload of listElements(page, "Upload")) {
        const key = readText(upload, "Key") ?? "";
        const name = key + UPLOAD + (readText(upload, "UploadId") ?? "");
        const modifiedMs = Date.parse(readText(upload, "Initiated") ?? "");
        if (parseKey(key.slice(prefix.length)) !== undefined)
          yield { name, bytes: 0, modifiedMs, isUnfinished: true };
      }
  } catch (error) {
    if (!isUnknownThere(error)) throw error;
  }
}

/** The key of a listed name, and the upload if it is one; undefined for a name that `listObjects` does not return. */
export function parseName(
  { bucket: { prefix } }: S3Client,
  name: string,
): { readonly key: string; readonly uploadId: string | undefined } | undefined {
  const at = name.indexOf(UPLOAD);
  const [whole, uploadId] =
    at === -1 ? [name, undefined] : [name.slice(0, at), name.slice(at + UPLOAD.length)];
  const key = whole.slice(prefix.length);
  return whole.startsWith(prefix) && parseKey(key) !== undefined ? { key, uploadId } : undefined;
}

// Each kind of list names the start of its next page differently.
const MARKERS: Readonly<Record<string, string>> = {
  NextContinuationToken: "continuation-token",
  NextKeyMarker: "key-marker",
  NextVersionIdMarker: "version-id-marker",
  NextUploadIdMarker: "upload-id-marker",
};

/** The pages of a list, as XML. */
export async function* readPages(
  client: S3Client,
  { action, query }: Pick<S3Request, "action" | "query">,
): AsyncGenerator<string> {
  for (let next: Record<string, string> | undefined = {}; next !== undefined;) {
    const { body } = await client.send({ method: "GET", action, query: { ...query, ...next } });
    yield body;
    const markers = Object.entries(MARKERS).flatMap(([element, parameter]) => {
      const marker = readText(body, element);
      return marker === undefined || marker === "" ? [] : [[parameter, marker] as const];
    });
    const hasMore = readText(body, "IsTruncated") === "true" && markers.length > 0;
    next = hasMore ? Object.fromEntries(markers) : undefined;
  }
}

/** True if the server does not support the request, as servers with a smaller API than Amazon's. */
export function isUnknownThere(error: unknown): boolean {
  const { status = 0 } = toRefusal(error) ?? {};
  return isFault(error, "unavailable") && (status === 501 || status === 405);
}
