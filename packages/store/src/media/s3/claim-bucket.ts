// `MediaStore.claim` of a bucket: an object beside the recordings.
import { createHash } from "node:crypto";
import { isFault } from "../../port/faults.ts";
import { checkOwner, OWNER } from "../claim.ts";
import type { S3Client } from "./client.ts";

export async function claimBucket(client: S3Client, archiveId: string): Promise<void> {
  const owner = await readOwner(client);
  if (owner !== undefined) return checkOwner(client.bucket.name, owner, archiveId);
  const body = Buffer.from(archiveId);
  const headers = { "content-md5": createHash("md5").update(body).digest("base64") };
  await client.send({ method: "PUT", action: "s3:PutObject", key: OWNER, headers, body });
}

async function readOwner(client: S3Client): Promise<string | undefined> {
  try {
    return (await client.send({ method: "GET", action: "s3:GetObject", key: OWNER })).body;
  } catch (error) {
    if (!isFault(error, "lost")) throw error;
    return undefined;
  }
}
