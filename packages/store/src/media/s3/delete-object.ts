// Deletes an object permanently, with every version if the bucket keeps versions. Locked versions stay and are reported.
import { isFault } from "../../port/faults.ts";
import type { Retained } from "../../port/media.ts";
import { type S3Client, toRefusal } from "./client.ts";
import { isUnknownThere, readPages } from "./list-objects.ts";
import { listElements, readText } from "./xml.ts";

/** Returns the lock that keeps the object, if there is one. Throws `StoreFault`. */
export function createDeleter(client: S3Client): (key: string) => Promise<Retained | undefined> {
  let versioning: Promise<boolean> | undefined;
  return async (key) => {
    versioning ??= hasVersions(client);
    const isVersioned = await versioning.catch((error: unknown) => {
      versioning = undefined;
      throw error;
    });
    if (isVersioned) return await deleteVersions(client, key);
    await deletePlain(client, key);
    return undefined;
  };
}

/** True if the bucket keeps versions, or may have kept some. */
export async function hasVersions(client: S3Client): Promise<boolean> {
  const query = { versioning: "" };
  const request = { method: "GET", action: "s3:GetBucketVersioning", query } as const;
  try {
    return readText((await client.send(request)).body, "Status") !== undefined;
  } catch (error) {
    if (isUnknownThere(error)) return false;
    throw error;
  }
}

async function deletePlain(client: S3Client, key: string): Promise<void> {
  try {
    await client.send({ method: "DELETE", action: "s3:DeleteObject", key });
  } catch (error) {
    if (!isFault(error, "lost")) throw error;
  }
}

// The oldest goes first: after an interruption the object is still what it was.
async function deleteVersions(client: S3Client, key: string): Promise<Retained | undefined> {
  let retained: Retained | undefined;
  for (const versionId of (await listVersions(client, key)).toReversed())
    retained = (await deleteVersion(client, key, versionId)) ?? retained;
  return retained;
}

/** The version ids, newest first, including those of the delete markers. */
async function listVersions(client: S3Client, key: string): Promise<string[]> {
  const name = client.bucket.prefix + key;
  const query = { versions: "", prefix: name };
  const ids: string[] = [];
  for await (const page of readPages(client, { action: "s3:ListBucketVersions", query }))
    for (const version of listElements(page, "Version", "DeleteMarker"))
      if (readText(version, "Key") === name) ids.push(readText(version, "VersionId") ?? "null");
  return ids;
}

async function deleteVersion(
  client: S3Client,
  key: string,
  versionId: string,
): Promise<Retained | undefined> {
  const query = { versionId };
  try {
    await client.send({ method: "DELETE", action: "s3:DeleteObjectVersion", key, query });
  } catch (error) {
    if (isFault(error, "lost")) return undefined;
    const by =
      toRefusal(error)?.status === 403 ? await findLock(client, key, versionId) : undefined;
    if (by === undefined) throw error;
    return { name: client.bucket.prefix + key, by };
  }
  return undefined;
}

/** The lock of a version; undefined if there is none, or if the lock may not be read. */
async function findLock(
  client: S3Client,
  key: string,
  versionId: string,
): Promise<string | undefined> {
  const read = async (what: "retention" | "legal-hold", action: string, element: string) => {
    const query = { [what]: "", versionId };
    const answer = await client
      .send({ method: "GET", action, key, query })
      .catch((): undefined => undefined);
    return answer && readText(answer.body, element);
  };
  const until = await read("retention", "s3:GetObjectRetention", "RetainUntilDate");
  if (until !== undefined && Date.parse(until) > Date.now()) return `object lock until ${until}`;
  const hold = await read("legal-hold", "s3:GetObjectLegalHold", "Status");
  return hold === "ON" ? "a legal hold of the bucket" : undefined;
}
